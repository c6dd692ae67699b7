import fc from "fast-check";

/** Any UTF-16: whole characters of every plane, and halves of surrogate pairs wherever they fall. */
export const anyString = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.string({ unit: "binary-ascii", maxLength: 200 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 60 }).map((units) => String.fromCharCode(...units)),
  fc
    .array(
      fc.constantFrom("a", "é", "語", "🌸", "\ud83c", "\udf38", "\ud800", "\udfff", "\0", "\x7f", "\x80", "߿", "ࠀ"),
      {
        maxLength: 80,
      },
    )
    .map((parts) => parts.join("")),
);

/** Bytes, as a view that begins anywhere in its buffer. */
export const anyBytes = fc
  .tuple(fc.uint8Array({ maxLength: 80 }), fc.nat(17), fc.nat(9))
  .map(([bytes, before, after]) => {
    const buffer = new Uint8Array(before + bytes.length + after).fill(0xaa);
    buffer.set(bytes, before);
    return buffer.subarray(before, before + bytes.length);
  });

export const anyNumber = fc.maxSafeInteger();
export const anyBigint = fc.bigInt(-(2n ** 63n), 2n ** 64n - 1n);
export const anyKey = fc.oneof(anyString, anyBytes, anyNumber, anyBigint);
