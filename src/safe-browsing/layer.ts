import { HEAD } from "../engine/layout.js";
import { BloomlineError } from "../errors.js";
import { BloomFilter } from "../filters/bloom-filter.js";
import {
  type EngineOptions,
  emptyFrom,
  type FilterClass,
  type ReadableFilter,
  readHeaderFor,
  regionOf,
  verify,
} from "../filters/line-filter.js";
import { readHeader } from "../format/header.js";
import { idOf, readList, type UrlListInfo } from "./list-file.js";
import type { RemoteFile } from "./remote.js";
import { turnTaker } from "./turn.js";

export interface LayerOptions {
  /** Classes of filters that a list may hold besides BloomFilter: FuseFilter, GolombSet. */
  readonly filters?: readonly FilterClass<ReadableFilter>[] | undefined;
  readonly engine?: EngineOptions["engine"] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A list, or what has been added to it since, ready to be asked. */
export interface Layer {
  readonly info: UrlListInfo;
  readonly id: string;
  readonly etag: string;
  readonly filter: ReadableFilter;
}

/** Opens a list file, verifying every checksum, in tasks too short to be felt. */
export async function openLayer(
  { bytes, etag }: RemoteFile,
  { filters = [], engine = "auto", signal }: LayerOptions,
): Promise<Layer> {
  const { info, filter: source } = readList(bytes);
  const { kind } = readHeader(source, source.length);
  const type = [BloomFilter, ...filters].find((each) => each.kind === kind);
  if (!type) {
    throw new BloomlineError(
      "ERR_KIND",
      `The list holds a filter of kind ${kind}. Give its class, as in { filters: [FuseFilter, GolombSet] }.`,
    );
  }
  const header = readHeaderFor(type, source, source.length);
  const filter = emptyFrom(type, header, { engine });
  try {
    const turn = turnTaker(signal);
    regionOf(filter).lines().set(source.subarray(HEAD));
    for (const _ of verify(filter, header)) await turn();
  } catch (error) {
    filter.dispose();
    throw error;
  }
  return { info, id: idOf(source), etag, filter };
}
