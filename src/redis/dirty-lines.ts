/** Which lines hold keys that Redis may not have: a bit for each, in memory that threads can share. */
export class DirtyLines {
  private readonly words: Int32Array;

  constructor(readonly buffer: SharedArrayBuffer) {
    this.words = new Int32Array(buffer);
  }

  static of(lines: number): DirtyLines {
    return new DirtyLines(new SharedArrayBuffer(4 * Math.ceil(lines / 32)));
  }

  mark(line: number): void {
    Atomics.or(this.words, line >>> 5, 1 << (line & 31));
  }

  get any(): boolean {
    return this.words.some((word) => word !== 0);
  }

  /** Takes the marks away and returns whose they were. Mark them again if Redis did not get them. */
  take(): number[] {
    const lines: number[] = [];
    for (let i = 0; i < this.words.length; i++) {
      if (this.words[i] === 0) continue;
      const word = Atomics.exchange(this.words, i, 0);
      for (let bit = 0; bit < 32; bit++) if ((word >>> bit) & 1) lines.push(i * 32 + bit);
    }
    return lines;
  }
}
