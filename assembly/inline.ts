/**
 * In WebAssembly the loops over a batch hold all they need, and touch lines before they probe them. JavaScript generated
 * like that would be twice as long, so there they call, and probe at once.
 */
// @ts-ignore: decorator
@inline export const INLINE = ASC_FEATURE_SIMD;
