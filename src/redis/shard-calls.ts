import { LINE } from "../engine/layout.js";
import type { Connection } from "./connection.js";
import { announceLayout, makeShard, orLines, readBytes, readLines, readLog } from "./generated/scripts.js";
import type { HashedKeys } from "./hashed-keys.js";
import type { Layout, Shard } from "./layout.js";
import { packRecords } from "./line-records.js";
import { type Argument, bytesOf, type Reply, type Script, textOf } from "./port.js";

/** Bytes of a record in a log: a line number and a line. */
const HEAD = 4;
const RECORD = HEAD + LINE;

/** Why a shard gave no answer. "gone": it or a part of it is lost. "stale": the caller's layout is old. */
export type Refusal = "gone" | "stale";

/** Why a log does not lead on. "gap": it was trimmed. "fork": the shard went back to an older state. */
export type Break = "gap" | "fork";

export interface Written {
  readonly version: number;
  readonly ones: number;
  /** A byte for each record: 1 = it changed the shard. */
  readonly changed: Uint8Array;
}

/** A place in the history of a shard. The mark tells it from one of the same version in another history. */
export interface Point {
  readonly version: number;
  readonly mark: string;
}

export interface Bytes extends Point {
  readonly ones: number;
  readonly bytes: Uint8Array;
}

export interface LogEntry {
  /** "hashes" of keys, or "lines" with their numbers. */
  readonly kind: string;
  readonly data: Uint8Array;
}

export interface Log {
  /** The shard's, which may be further on. */
  readonly version: number;
  readonly ones: number;
  /** Where the entries lead to. */
  readonly end: Point;
  readonly entries: readonly LogEntry[];
}

/** Lines with their numbers in the shard, as the log keeps them. */
function recordsOf(numbers: ArrayLike<number>, lines: Uint8Array): Uint8Array {
  const records = new Uint8Array(numbers.length * RECORD);
  const view = new DataView(records.buffer);
  for (let i = 0; i < numbers.length; i++) {
    view.setUint32(i * RECORD, numbers[i]!, true);
    records.set(lines.subarray(i * LINE, (i + 1) * LINE), i * RECORD + HEAD);
  }
  return records;
}

/** Where lines lie in a shard, as the scripts take it. */
function placesOf(numbers: ArrayLike<number>): string {
  let places = "";
  for (let i = 0; i < numbers.length; i++) {
    const at = numbers[i]! * LINE;
    places += `${at}\0${at + LINE - 1}\0`;
  }
  return places;
}

/** The other way round: each line with its number. */
export function* eachRecord(records: Uint8Array): Generator<[number: number, line: Uint8Array]> {
  const view = new DataView(records.buffer, records.byteOffset, records.length);
  for (let at = 0; at < records.length; at += RECORD) {
    yield [view.getUint32(at, true), records.subarray(at + HEAD, at + RECORD)];
  }
}

async function call(
  { epoch, number }: Layout,
  { keys, bytes }: Shard,
  connection: Connection,
  script: Script,
  ...rest: Argument[]
): Promise<Reply[] | Refusal | Break> {
  const reply = await connection.run(script, keys, [epoch, String(number), String(bytes), ...rest]);
  return Array.isArray(reply) ? reply : (textOf(reply) as Refusal | Break);
}

/** The lines of these numbers, one after the other. */
export async function fetchLines(
  layout: Layout,
  shard: Shard,
  connection: Connection,
  numbers: Uint32Array,
): Promise<Uint8Array | Refusal> {
  const reply = await call(layout, shard, connection, readLines, placesOf(numbers));
  return typeof reply === "string" ? (reply as Refusal) : bytesOf(reply[0]);
}

/** ORs lines of these numbers into a shard; with the hashes they came from, where they came from keys. */
export async function writeLines(
  layout: Layout,
  shard: Shard,
  connection: Connection,
  numbers: ArrayLike<number>,
  lines: Uint8Array,
  keys?: HashedKeys,
): Promise<Written | Refusal> {
  const reply = await call(
    layout,
    shard,
    connection,
    orLines,
    String(layout.logEntries),
    packRecords(numbers, lines),
    ...(keys ? ["hashes", keys.bytes()] : ["lines", recordsOf(numbers, lines)]),
  );
  if (typeof reply === "string") return reply as Refusal;
  return { version: Number(reply[0]), ones: Number(reply[1]), changed: bytesOf(reply[2]) };
}

/** Bytes of a shard from `from` up to `to`, and the version they have at least. */
export async function fetchBytes(
  layout: Layout,
  shard: Shard,
  connection: Connection,
  from: number,
  to: number,
): Promise<Bytes | Refusal> {
  // GETRANGE takes the last byte's place, and a last before the first is nothing; but -1 would be the end.
  const range = to > from ? [String(from), String(to - 1)] : ["1", "0"];
  const reply = await call(layout, shard, connection, readBytes, ...range);
  if (typeof reply === "string") return reply as Refusal;
  const [version, mark, ones, bytes] = reply;
  return { version: Number(version), mark: textOf(mark), ones: Number(ones), bytes: bytesOf(bytes) };
}

/** What happened to a shard after a point of its history. */
export async function fetchLog(
  layout: Layout,
  shard: Shard,
  connection: Connection,
  after: Point,
  most: number,
): Promise<Log | Refusal | Break> {
  const reply = await call(layout, shard, connection, readLog, String(after.version), after.mark, String(most));
  if (typeof reply === "string") return reply;
  const [version, ones, mark, ...pairs] = reply;
  const entries = Array.from({ length: pairs.length / 2 }, (_, i) => ({
    kind: textOf(pairs[i * 2]),
    data: bytesOf(pairs[i * 2 + 1]),
  }));
  return {
    version: Number(version),
    ones: Number(ones),
    end: { version: after.version + entries.length, mark: textOf(mark) },
    entries,
  };
}

/** Makes an empty shard, unless it is there already in this epoch. */
export async function makeEmpty(layout: Layout, shard: Shard, connection: Connection): Promise<void> {
  await connection.run(makeShard, shard.keys, [layout.epoch, String(layout.number), String(shard.bytes)]);
}

/** Tells a shard of a new layout, and where it is to go, how long it has still to live. */
export async function announce(layout: Layout, shard: Shard, connection: Connection, liveMs?: number): Promise<void> {
  await connection.run(announceLayout, shard.keys, [
    layout.epoch,
    String(layout.number),
    liveMs === undefined ? "" : String(liveMs),
  ]);
}
