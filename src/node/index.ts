export { type FileOptions, loadFilter, type Progress, saveFilter } from "./files.js";
