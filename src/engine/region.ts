import type { Instance } from "./instance.js";
import { HEAD } from "./layout.js";

/** Whoever takes a region back; a region with a memory of its own has none and goes with its memory. */
export interface Lender {
  giveBack(region: Region): void;
}

/** The stretch of memory that one filter owns: its head, then its lines. */
export class Region {
  constructor(
    readonly instance: Instance,
    readonly at: number,
    readonly bytes: number,
    private readonly lender?: Lender,
  ) {}

  /** The head as a DataView. */
  head(): DataView {
    return new DataView(this.instance.buffer, this.at, HEAD);
  }

  writeHead(bytes: Uint8Array): void {
    new Uint8Array(this.instance.buffer, this.at, HEAD).set(bytes);
  }

  linesAt(): number {
    return this.at + HEAD;
  }

  lines(): Uint8Array {
    return new Uint8Array(this.instance.buffer, this.linesAt(), this.bytes - HEAD);
  }

  release(): void {
    this.lender?.giveBack(this);
  }
}
