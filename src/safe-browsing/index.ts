export {
  type BuildProgress,
  type BuildUrlDeltaOptions,
  type BuildUrlListOptions,
  buildUrlDelta,
  buildUrlList,
  type ListFilterClass,
  type UrlEntries,
} from "./build.js";
export { canonicalize } from "./canonicalize.js";
export { type Update, UrlChecker, type UrlCheckerOptions, type Verdict } from "./checker.js";
export type { Confirm, Confirmation, ConfirmOptions } from "./confirmations.js";
export { type ExpressionOptions, expressions, type Suffixes } from "./expressions.js";
export { fullHash, hashPrefix } from "./hash.js";
export { integrityOf } from "./integrity.js";
export type { UrlListInfo } from "./list-file.js";
export type { FetchOptions, FetchProgress, ListStore } from "./remote.js";
