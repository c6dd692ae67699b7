import type { ExpressionOptions } from "bloomline/safe-browsing";

/** Version 5 brings the Public Suffix List, which is fetched only when it is wanted. */
export async function rulesOf(version: string): Promise<ExpressionOptions> {
  if (version === "4") return { version: 4 };
  const { default: suffixes } = await import("bloomline/safe-browsing/suffixes");
  return { version: 5, suffixes };
}
