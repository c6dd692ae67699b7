// The rows of a bank: one for each bit of its filters, as wide as there are filters.

import { LINE, MAX_LINES } from "../engine/layout.js";
import { mustBe } from "../errors.js";

/** A row must fit in the scratch area. */
export const MAX_PLACES = 65_536;

/** Bits of a line. */
export const ROWS_PER_LINE = LINE * 8;

/** Bytes of a row: 16 or 32, or whole cache lines, so that none begins in the middle of one. */
export function rowBytes(places: number): number {
  if (places <= 128) return 16;
  return places <= 256 ? 32 : Math.ceil(places / 512) * LINE;
}

/** Lines of a whole bank: the rows, and one more for which places are taken. */
export function bankLines(places: number, filterLines: number): number {
  const row = rowBytes(places);
  return filterLines * 8 * row + Math.ceil(row / LINE);
}

export function checkPlaces(filters: unknown): asserts filters is number {
  if (!Number.isInteger(filters) || (filters as number) < 1 || (filters as number) > MAX_PLACES) {
    throw mustBe("filters", filters, `a whole number from 1 to ${MAX_PLACES}`);
  }
}

export function checkBank(places: number, filterLines: number): void {
  const lines = bankLines(places, filterLines);
  if (lines > MAX_LINES) {
    throw new RangeError(
      `${places} filters of ${filterLines * LINE} bytes take ${lines * LINE} together; a bank may take just under 4 GiB. Use several banks.`,
    );
  }
}
