export { type FileOptions, loadFilter, type Progress, saveFilter } from "./files.js";
export {
  addManyParallel,
  buildFilter,
  type KeySource,
  type ParallelOptions,
  type ParallelProgress,
} from "./parallel.js";
