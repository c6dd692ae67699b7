const CHUNK = 1024;

/** Expressions in one string per thousand: a byte a character, where a string each would take a hundred bytes. */
export class Entries {
  readonly #chunks: string[] = [];
  #open: string[] = [];

  get length(): number {
    return this.#chunks.length * CHUNK + this.#open.length;
  }

  /** No expression has a line end. */
  push(expression: string): void {
    if (this.#open.push(expression) < CHUNK) return;
    this.#chunks.push(this.#open.join("\n"));
    this.#open = [];
  }

  *[Symbol.iterator](): Generator<string, void> {
    for (const chunk of this.#chunks) yield* chunk.split("\n");
    yield* this.#open;
  }
}
