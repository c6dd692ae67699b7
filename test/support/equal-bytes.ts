// Bytes are compared as bytes: vitest would take two microseconds for each, and the tests compare many megabytes.
import { expect } from "vitest";

expect.addEqualityTesters([
  function areBytesEqual(one: unknown, other: unknown): boolean | undefined {
    if (one instanceof Uint8Array && other instanceof Uint8Array) return Buffer.compare(one, other) === 0;
    return undefined;
  },
]);
