export { canonicalize } from "./canonicalize.js";
export { type ExpressionOptions, expressions, type Suffixes } from "./expressions.js";
export { fullHash, hashPrefix } from "./hash.js";
