import { randomBytes } from "node:crypto";
import { LINE } from "../engine/layout.js";
import { BloomlineError, mustBe } from "../errors.js";
import { type BloomFilterOptions, parametersOf } from "../filters/bloom-filter.js";
import type { EngineOptions } from "../filters/line-filter.js";
import type { Parameters } from "../format/header.js";
import * as KINDS from "../format/kinds.js";

/** 8 MiB: what Redis allocates, copies or drops in about 10 ms. */
export const SHARD_BYTES = 8 * 2 ** 20;
const MAX_SHARD_BYTES = 512 * 2 ** 20;

/** What a filter in Redis is to be: the options of a BloomFilter, and how it is cut up. */
export type RemoteOptions = Omit<BloomFilterOptions, keyof EngineOptions> & {
  /** Bytes of a Redis string at most; 8 MiB unless given. */
  readonly shardBytes?: number;
};

/** One BloomFilter's lines in Redis, cut into shards. */
export interface Layer {
  /** Never used twice: the shards of a layer that was left may still be there. */
  readonly id: string;
  readonly parameters: Parameters;
  /** Lines in a shard; the last may have fewer. */
  readonly shardLines: number;
  /** Whether lookups must ask it, and whether adds must reach it. */
  readonly read: boolean;
  readonly write: boolean;
}

/**
 * Which layers there are. The number rises with every change, and shards refuse whoever comes with a lower one; the epoch
 * changes only when the filter is made anew.
 */
export interface Layout {
  readonly name: string;
  readonly epoch: string;
  readonly number: number;
  readonly layers: readonly Layer[];
  /** How many layers are kept as windows of time; undefined where layers only add capacity. */
  readonly windows?: number | undefined;
  /** Entries that the log of a shard keeps. */
  readonly logEntries: number;
}

/** One Redis string of lines, with its meta and its log. */
export interface Shard {
  /** For maps: the layer and the number in it. */
  readonly id: string;
  readonly layer: Layer;
  /** Its first line, counted in the layer. */
  readonly from: number;
  readonly lines: number;
  readonly bytes: number;
  /** Bits, meta, log: one hash tag, so one slot of a cluster. */
  readonly keys: readonly [bits: string, meta: string, log: string];
}

export function layoutKey(name: string): string {
  return `{${name}}:layout`;
}

export function checkName(name: unknown): string {
  if (typeof name === "string" && /^[^{}]+$/.test(name)) return name;
  throw new TypeError(
    `name is ${JSON.stringify(name)}; it must be a string without { and }, for it becomes a hash tag.`,
  );
}

export function shardsOf(name: string, layer: Layer): Shard[] {
  const { lines } = layer.parameters;
  return Array.from({ length: Math.ceil(lines / layer.shardLines) }, (_, i) => {
    const from = i * layer.shardLines;
    const own = Math.min(layer.shardLines, lines - from);
    const id = `${layer.id}.${i}`;
    const tag = `{${name}:${id}}`;
    return { id, layer, from, lines: own, bytes: own * LINE, keys: [`${tag}:bits`, `${tag}:meta`, `${tag}:log`] };
  });
}

export function writeLayers({ layers, windows, logEntries }: Layout): string {
  return JSON.stringify({
    layers: layers.map(({ parameters: { seed, kind: _, ...rest }, ...layer }) => ({
      ...layer,
      ...rest,
      seed: String(seed),
    })),
    windows,
    logEntries,
  });
}

export function readLayers(name: string, epoch: string, number: number, text: string): Layout {
  try {
    const { layers, windows, logEntries } = JSON.parse(text);
    return {
      name,
      epoch,
      number,
      windows,
      logEntries,
      layers: layers.map(
        // biome-ignore lint/suspicious/noExplicitAny: what writeLayers wrote
        ({ id, shardLines, read, write, capacity, errorRate, lines, hashes, seed }: any): Layer => ({
          id,
          shardLines,
          read,
          write,
          parameters: { kind: KINDS.bloom, capacity, errorRate, lines, hashes, seed: BigInt(seed) },
        }),
      ),
    };
  } catch (cause) {
    throw new BloomlineError("ERR_GONE", `The layout of ${name} in Redis cannot be read. Drop the filter, create it.`, {
      cause,
    });
  }
}

interface Roles {
  readonly read: boolean;
  readonly write: boolean;
}

export function newLayer(id: string, { shardBytes = SHARD_BYTES, ...options }: RemoteOptions, roles: Roles): Layer {
  if (!Number.isSafeInteger(shardBytes) || shardBytes % LINE || shardBytes < LINE || shardBytes > MAX_SHARD_BYTES) {
    throw mustBe(
      "shardBytes",
      shardBytes,
      `a multiple of ${LINE} up to 512 MiB, the most that Redis keeps in a string`,
    );
  }
  return { id, parameters: parametersOf(options), shardLines: shardBytes / LINE, ...roles };
}

/** A layer after the others, like the newest unless told otherwise. Its seed is the filter's: a key is hashed once. */
export function nextLayer(layout: Layout, options: Partial<RemoteOptions>, roles: Roles): Layer {
  const { parameters, shardLines } = newest(layout);
  const id = `${layout.number}-${randomBytes(3).toString("hex")}`;
  if (Object.keys(options).length === 0) return { id, parameters, shardLines, ...roles };
  const { capacity, errorRate, seed } = parameters;
  const rate = options.bitsPerKey === undefined ? { errorRate } : {};
  return newLayer(id, { capacity, ...rate, shardBytes: shardLines * LINE, ...options, seed }, roles);
}

/** The layer that takes new keys. */
export function newest({ layers }: Layout): Layer {
  const writable = layers.filter(({ write }) => write);
  return writable.filter(({ read }) => read).at(-1) ?? writable.at(-1)!;
}

/** The error for a filter that is not what it should be. */
export function differ(
  name: string,
  { parameters }: Layer,
  given: { lines: number; hashes: number; seed: bigint },
): BloomlineError {
  const say = ({ lines, hashes, seed }: typeof given) => `lines ${lines}, hashes ${hashes}, seed ${seed}`;
  return new BloomlineError(
    "ERR_INCOMPATIBLE",
    `${name} in Redis has ${say(parameters)}; here it is ${say(given)}. Use the same options, or another name.`,
  );
}

/** A filter is known by its first layer; those that grew from it are its own affair. */
export function checkParameters({ name, layers }: Layout, { parameters }: Layer): void {
  const first = layers[0]!;
  const known = first.parameters;
  const same = (["lines", "hashes", "seed"] as const).every((field) => known[field] === parameters[field]);
  if (!same) throw differ(name, first, parameters);
}
