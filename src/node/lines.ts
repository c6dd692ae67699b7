import { createReadStream } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import type { PackedKeys } from "../keys/batch.js";

const NEWLINE = 10;
const RETURN = 13;

/** What is read beyond a stretch at a time, to find the end of its last line. */
const OVERLAP = 64 * 1024;

/**
 * The lines that begin in bytes [from, to) of a file, without their line ends (\n or \r\n), as keys. So stretches that
 * cover a file give each line once, wherever they were cut.
 */
export async function readLines(file: FileHandle, from: number, to: number): Promise<PackedKeys> {
  // The byte before tells whether a line begins at `from`.
  const before = from > 0 ? 1 : 0;
  let bytes = await readBytes(file, from - before, to - from + before + OVERLAP);
  let end = lineEnd(bytes, to - from + before);
  while (end < 0) {
    const more = await readBytes(file, from - before + bytes.length, Math.max(OVERLAP, bytes.length));
    end = more.length === 0 ? bytes.length : lineEnd((bytes = Buffer.concat([bytes, more])), to - from + before);
  }
  const start = before ? bytes.indexOf(NEWLINE) + 1 || end : 0;
  return splitLines(bytes.subarray(Math.min(start, end), end));
}

/** Where the line that holds the byte before `at` ends, its newline included; -1 if that is not in `bytes`. */
function lineEnd(bytes: Buffer, at: number): number {
  if (at > bytes.length) return -1;
  return bytes.indexOf(NEWLINE, at - 1) + 1 || -1;
}

async function readBytes(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  let read = 0;
  while (read < length) {
    const { bytesRead } = await file.read(bytes, read, length - read, at + read);
    if (bytesRead === 0) break;
    read += bytesRead;
  }
  return bytes.subarray(0, read);
}

/** Whole lines as keys, in place: what is between the lines is closed up. */
function splitLines(bytes: Uint8Array): PackedKeys {
  const offsets = new Uint32Array(countLines(bytes) + 1);
  let keys = 0;
  let from = 0;
  let to = 0;
  while (from < bytes.length) {
    const newline = bytes.indexOf(NEWLINE, from);
    const next = newline < 0 ? bytes.length : newline + 1;
    let end = newline < 0 ? next : newline;
    if (newline > from && bytes[newline - 1] === RETURN) end--;
    bytes.copyWithin(to, from, end);
    to += end - from;
    offsets[++keys] = to;
    from = next;
  }
  return { bytes: bytes.subarray(0, to), offsets };
}

function countLines(bytes: Uint8Array): number {
  let lines = bytes.length > 0 && bytes[bytes.length - 1] !== NEWLINE ? 1 : 0;
  for (let i = 0; i < bytes.length; i++) if (bytes[i] === NEWLINE) lines++;
  return lines;
}

/** How many lines a file has; a last line needs no newline to count. */
export async function countFileLines(path: string, signal?: AbortSignal): Promise<number> {
  let lines = 0;
  let last = NEWLINE;
  for await (const bytes of createReadStream(path, { highWaterMark: 1 << 20 })) {
    signal?.throwIfAborted();
    for (let i = 0; i < bytes.length; i++) if (bytes[i] === NEWLINE) lines++;
    last = bytes[bytes.length - 1];
  }
  return last === NEWLINE ? lines : lines + 1;
}
