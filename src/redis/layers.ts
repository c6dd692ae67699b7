import { BloomlineError } from "../errors.js";
import { keysFromOnes } from "../sizing/blocked.js";
import { type Answer, either } from "./answer.js";
import type { Connection } from "./connection.js";
import type { HashedKeys } from "./hashed-keys.js";
import { LayerCalls, RefusedError } from "./layer-calls.js";
import { type Layer, type Layout, newest, type Shard } from "./layout.js";
import { loadLayout, settledLayout, switchLayout } from "./layout-store.js";
import type { Refusal, Written } from "./shard-calls.js";

/** How often one piece of work follows a layout that changes under it. */
const FOLLOWS = 8;

/** The layers of a filter as this process knows them; it follows when others change the layout. */
export class Layers {
  #layout!: Layout;
  #calls = new Map<string, LayerCalls>();
  #following: Promise<boolean> | undefined;
  readonly #ones = new Map<string, number>();

  constructor(
    readonly connection: Connection,
    layout: Layout,
  ) {
    this.#use(layout);
  }

  get layout(): Layout {
    return this.#layout;
  }

  get name(): string {
    return this.#layout.name;
  }

  callsOf({ id }: Layer): LayerCalls {
    return this.#calls.get(id)!;
  }

  #use(layout: Layout): void {
    this.#calls = new Map(
      layout.layers.map((layer) => {
        const known = layout.epoch === this.#layout?.epoch ? this.#calls.get(layer.id) : undefined;
        return [layer.id, known ?? new LayerCalls(layout.name, layer, this.connection)];
      }),
    );
    this.#layout = layout;
  }

  /** Reads the layout again. True: there is one newer than `seen`, of the same epoch. */
  async follow(seen = this.#layout): Promise<boolean> {
    if (this.#layout !== seen) return true;
    this.#following ??= loadLayout(this.connection, this.name)
      .then(
        (layout) => {
          if (!layout || layout.epoch !== seen.epoch || layout.number <= seen.number) return false;
          this.#use(layout);
          return true;
        },
        () => false,
      )
      .finally(() => {
        this.#following = undefined;
      });
    return this.#following;
  }

  /** Does work that a shard may refuse; again with the newer layout, if there is one. */
  async following(work: (layout: Layout) => Promise<Refusal | undefined>): Promise<Refusal | undefined> {
    for (let follows = 0; ; follows++) {
      const layout = this.#layout;
      const refusal = await work(layout);
      if (!refusal || follows === FOLLOWS || !(await this.follow(layout))) return refusal;
    }
  }

  /** The newest layout; ERR_GONE where there is none of this epoch. */
  async current(): Promise<Layout> {
    const found = await loadLayout(this.connection, this.name);
    if (found?.epoch !== this.#layout.epoch) throw new RefusedError(this.name, "gone");
    if (found.number > this.#layout.number) this.#use(found);
    return this.#layout;
  }

  /** Takes to the filter of this name as it is now, whatever its epoch. */
  async reopen(): Promise<void> {
    const found = await settledLayout(this.connection, this.name);
    if (!found || found.number === 0) throw new RefusedError(this.name, "gone");
    this.take(found);
  }

  take(layout: Layout): void {
    const [seed, theirs] = [this.#layout, layout].map(({ layers }) => layers[0]!.parameters.seed);
    if (seed !== theirs) {
      throw new BloomlineError(
        "ERR_INCOMPATIBLE",
        `${this.name} was made anew with seed ${theirs}; here it is seed ${seed}. Open it with RedisFilter.open.`,
      );
    }
    if (layout.epoch !== this.#layout.epoch) this.#ones.clear();
    this.#use(layout);
  }

  /** Stores the next layout, and tells every shard. */
  async switch(from: Layout, change: Partial<Layout>, liveMs?: number): Promise<Layout> {
    const layout = await switchLayout(this.connection, from, change, liveMs);
    this.#use(layout);
    return layout;
  }

  /** An answer for each key from these layers; `refused` hears of shards that gave none. */
  async ask(
    layout: Layout,
    layers: readonly Layer[],
    keys: HashedKeys,
    refused: (why: Refusal) => void,
  ): Promise<Answer[]> {
    const unknown = new Array<Answer>(keys.count).fill("unknown");
    if (layers.length === 0) return unknown;
    const all = await Promise.all(layers.map((layer) => this.callsOf(layer).has(layout, keys, refused)));
    return all.reduce((one, other) => one.map((answer, i) => either(answer, other[i]!)));
  }

  /** Adds keys to these layers, and marks in `changed` those that changed one. */
  async write(
    layout: Layout,
    layers: readonly Layer[],
    keys: HashedKeys,
    changed: Uint8Array,
  ): Promise<Refusal | undefined> {
    const refusals = await Promise.all(
      layers.map((layer) => this.callsOf(layer).add(layout, keys, changed, this.noteWritten)),
    );
    return refusals.find((refusal) => refusal !== undefined);
  }

  noteWritten = ({ id }: Shard, { ones }: Pick<Written, "ones">): void => {
    this.#ones.set(id, ones);
  };

  /** How full the layer is that takes new keys, from the replies seen so far: 1 is its capacity. */
  get fill(): number {
    const layer = newest(this.#layout);
    const { lines, hashes, capacity } = layer.parameters;
    const ones = this.callsOf(layer).shards.reduce((sum, { id }) => sum + (this.#ones.get(id) ?? 0), 0);
    return keysFromOnes(ones, lines, hashes) / capacity;
  }
}
