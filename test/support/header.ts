// A header of the .bloom format, put together by hand: what docs/FORMAT.md says, and nothing of src/format.

export interface Fields {
  magic?: number;
  version?: number;
  kind?: number;
  hash?: number;
  hashes?: number;
  lines?: number;
  reserved?: number;
  seed?: bigint;
  capacity?: bigint;
  errorRate?: number;
  ones?: bigint;
  checksum?: bigint;
  reservedToo?: number;
}

/** FNV-1a, 32 bits. */
function fnv1a(bytes: Uint8Array): number {
  return bytes.reduce((sum, byte) => Math.imul(sum ^ byte, 16777619) >>> 0, 2166136261);
}

/** The same bytes with the fields changed and the header's own checksum made right again. */
export function rewritten(bytes: Uint8Array, fields: Fields): Uint8Array {
  const copy = Uint8Array.from(bytes);
  const view = new DataView(copy.buffer);
  const put = <T>(value: T | undefined, write: (value: T) => void) => value !== undefined && write(value);
  put(fields.magic, (v) => view.setUint32(0, v, true));
  put(fields.version, (v) => view.setUint8(4, v));
  put(fields.kind, (v) => view.setUint8(5, v));
  put(fields.hash, (v) => view.setUint8(6, v));
  put(fields.hashes, (v) => view.setUint8(7, v));
  put(fields.lines, (v) => view.setUint32(8, v, true));
  put(fields.reserved, (v) => view.setUint32(12, v, true));
  put(fields.seed, (v) => view.setBigUint64(16, v, true));
  put(fields.capacity, (v) => view.setBigUint64(24, v, true));
  put(fields.errorRate, (v) => view.setFloat64(32, v, true));
  put(fields.ones, (v) => view.setBigUint64(40, v, true));
  put(fields.checksum, (v) => view.setBigUint64(48, v, true));
  put(fields.reservedToo, (v) => view.setUint32(56, v, true));
  view.setUint32(60, fnv1a(copy.subarray(0, 60)), true);
  return copy;
}
