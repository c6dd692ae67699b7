import type { Key, PackedKeys } from "bloomline";
import { bytesOf } from "./model.js";

/** Many keys as one stretch of bytes, which begins with some that belong to none. */
export function pack(keys: readonly Key[], before = 0): PackedKeys {
  const all = keys.map(bytesOf);
  const offsets = new Uint32Array(keys.length + 1).fill(before);
  all.forEach((key, i) => {
    offsets[i + 1] = offsets[i]! + key.length;
  });
  const bytes = new Uint8Array(offsets.at(-1)! + 3).fill(255);
  all.forEach((key, i) => {
    bytes.set(key, offsets[i]);
  });
  return { bytes, offsets };
}
