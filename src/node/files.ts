import { randomUUID } from "node:crypto";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { HEAD } from "../engine/layout.js";
import { BloomlineError } from "../errors.js";
import {
  type EngineOptions,
  emptyFrom,
  type FilterClass,
  headerOf,
  ReadableFilter,
  readHeaderFor,
  regionOf,
  verify,
} from "../filters/line-filter.js";
import { classOf, type Filter, lineClassOf } from "../filters/open.js";
import { Digest } from "../format/digest.js";
import { type Header, readHeader } from "../format/header.js";
import { copyLines } from "../format/lines.js";

/** How far a file has come. */
export interface Progress {
  readonly bytes: number;
  readonly total: number;
}

export interface FileOptions {
  readonly onProgress?: (progress: Progress) => void;
  /** Stops the work; what was written so far is removed. */
  readonly signal?: AbortSignal;
}

/** Read and written at a time. */
const CHUNK = 4 << 20;

/**
 * Saves a filter. The file appears whole or not at all: it is written beside the target, flushed to disk, and renamed.
 * It holds at least every key that was added before the call.
 */
export async function saveFilter(filter: Filter, path: string, options: FileOptions = {}): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.${randomUUID()}.tmp`);
  const file = await open(temporary, "wx");
  try {
    try {
      if (filter instanceof ReadableFilter) await writeLines(file, filter, options);
      else await writeWhole(file, filter.toBytes(), options);
      await file.sync();
    } finally {
      await file.close();
    }
    options.signal?.throwIfAborted();
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncDirectory(dirname(path));
}

/** Writes a filter straight from its memory. */
async function writeLines(file: FileHandle, filter: ReadableFilter, options: FileOptions): Promise<void> {
  const total = HEAD + filter.byteLength;
  const digest = new Digest(regionOf(filter).stage);
  const chunk = new Uint8Array(Math.min(CHUNK, filter.byteLength));
  for (let at = HEAD; at < total; at += CHUNK) {
    options.signal?.throwIfAborted();
    const part = chunk.subarray(0, Math.min(CHUNK, total - at));
    // Asked for anew each time: a filter that was disposed of meanwhile no longer owns its region.
    copyLines(regionOf(filter), at - HEAD, part, digest);
    await writeAll(file, part, at);
    options.onProgress?.({ bytes: at + part.length, total });
  }
  await writeAll(file, headerOf(filter, digest), 0);
}

/** Writes bytes that will not change: the parts of a composite filter could not be read one after the other meanwhile. */
async function writeWhole(file: FileHandle, bytes: Uint8Array, options: FileOptions): Promise<void> {
  for (let at = 0; at < bytes.length; at += CHUNK) {
    options.signal?.throwIfAborted();
    const part = bytes.subarray(at, at + CHUNK);
    await writeAll(file, part, at);
    options.onProgress?.({ bytes: at + part.length, total: bytes.length });
  }
}

/** Makes the rename itself durable, where the platform lets a directory be opened (Windows does not). */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, "r").catch(() => undefined);
  try {
    await directory?.sync();
  } catch {
    // Some file systems refuse; the file itself is safe.
  } finally {
    await directory?.close();
  }
}

async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    at += (await file.write(bytes, at, bytes.length - at, position + at)).bytesWritten;
  }
}

/** Loads a filter, if it is not a composite straight into its memory, and verifies every checksum. */
export async function loadFilter(path: string, options: FileOptions & EngineOptions = {}): Promise<Filter> {
  const file = await open(path, "r");
  try {
    const total = (await file.stat()).size;
    const head = new Uint8Array(HEAD);
    const { bytesRead } = await file.read(head, 0, HEAD, 0);
    const start = head.subarray(0, bytesRead);
    const { kind } = readHeader(start, total);
    const type = lineClassOf(kind);
    if (type) return await readFilter(file, type, readHeaderFor(type, start, total), options);
    const opener = classOf(kind);
    const bytes = new Uint8Array(total);
    await readInto(file, bytes, 0, options);
    return opener.fromBytes(bytes, options);
  } finally {
    await file.close();
  }
}

async function readFilter<T extends ReadableFilter>(
  file: FileHandle,
  type: FilterClass<T>,
  header: Header,
  options: FileOptions & EngineOptions,
): Promise<T> {
  const filter = emptyFrom(type, header, options);
  try {
    await readInto(file, regionOf(filter).lines(), HEAD, options);
    for (const _ of verify(filter, header)) options.signal?.throwIfAborted();
  } catch (error) {
    filter.dispose();
    throw error;
  }
  return filter;
}

/** Reads the rest of a file, from `from` on. */
async function readInto(file: FileHandle, into: Uint8Array, from: number, options: FileOptions): Promise<void> {
  const total = from + into.length;
  for (let at = 0; at < into.length; ) {
    options.signal?.throwIfAborted();
    const { bytesRead } = await file.read(into, at, Math.min(CHUNK, into.length - at), from + at);
    if (bytesRead === 0) {
      throw new BloomlineError(
        "ERR_TRUNCATED",
        `The file ended at byte ${from + at} of ${total}: it was cut while it was read.`,
      );
    }
    at += bytesRead;
    options.onProgress?.({ bytes: from + at, total });
  }
}
