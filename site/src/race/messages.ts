import type { FilterHandle } from "bloomline";
import type { SubjectName } from "./subjects.js";

/** What the page asks of a worker; it answers each with one Answer. */
export type Request =
  | { readonly prepare: SubjectName; readonly keys: number }
  | { readonly attach: FilterHandle; readonly keys: number }
  | { readonly runFor: number; readonly batch: boolean };

export interface Prepared {
  readonly byteLength: number | undefined;
  /** The share of strangers that were taken for members. */
  readonly wrong: number;
  readonly handle: FilterHandle | undefined;
}

export interface Run {
  readonly lookups: number;
  readonly found: number;
  readonly milliseconds: number;
}

export type Answer = { readonly prepared: Prepared } | { readonly run: Run } | { readonly failed: string };
