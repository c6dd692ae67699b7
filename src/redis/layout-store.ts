import { setTimeout as sleep } from "node:timers/promises";
import { BloomlineError } from "../errors.js";
import type { Connection } from "./connection.js";
import { eachOf } from "./each-of.js";
import { changeLayout } from "./generated/scripts.js";
import { type Layer, type Layout, layoutKey, readLayers, shardsOf, writeLayers } from "./layout.js";
import { textOf } from "./port.js";
import { announce, makeEmpty } from "./shard-calls.js";

/** Shards made or told at a time. */
const IN_FLIGHT = 8;

/** The layout as it is in Redis now; undefined where there is none. Number 0 means that it is being made. */
export async function loadLayout(connection: Connection, name: string): Promise<Layout | undefined> {
  const key = layoutKey(name);
  const reply = await connection.send(key, ["HMGET", key, "epoch", "number", "layers"]);
  const [epoch, number, layers] = Array.isArray(reply) ? reply : [];
  if (epoch == null || number == null || layers == null) return undefined;
  return readLayers(name, textOf(epoch), Number(textOf(number)), textOf(layers));
}

/** Puts a layout in the place of the one it was made from. False: somebody else was quicker. */
export async function storeLayout(connection: Connection, from: Layout | undefined, to: Layout): Promise<boolean> {
  const key = layoutKey(to.name);
  const [epoch, number] = from ? [from.epoch, String(from.number)] : ["", ""];
  const reply = await connection.run(
    changeLayout,
    [key],
    [epoch, number, to.epoch, String(to.number), writeLayers(to)],
  );
  return Number(reply) === 1;
}

/** The next layout: stored, and told to every shard of the old and the new one, before this returns. */
export async function switchLayout(
  connection: Connection,
  from: Layout,
  change: Partial<Layout>,
  liveMs?: number,
): Promise<Layout> {
  const to = { ...from, ...change, number: from.number + 1 };
  if (!(await storeLayout(connection, from, to))) {
    throw new BloomlineError(
      "ERR_CONFLICT",
      `Somebody else changed the layout of ${to.name} at the same time. Nothing was changed here; look at info() and try again.`,
    );
  }
  const kept = new Set(to.layers.map(({ id }) => id));
  const all = new Map([...from.layers, ...to.layers].map((layer) => [layer.id, layer]));
  const shards = [...all.values()].flatMap((layer) => shardsOf(to.name, layer));
  await eachOf(shards, IN_FLIGHT, (shard) =>
    announce(to, shard, connection, kept.has(shard.layer.id) ? undefined : liveMs),
  );
  return to;
}

export async function makeShards(connection: Connection, layout: Layout, layer: Layer): Promise<void> {
  await eachOf(shardsOf(layout.name, layer), IN_FLIGHT, (shard) => makeEmpty(layout, shard, connection));
}

/** The layout, after giving whoever is just making it the time to end. */
export async function settledLayout(connection: Connection, name: string): Promise<Layout | undefined> {
  const until = Date.now() + connection.timeoutMs;
  for (;;) {
    const layout = await loadLayout(connection, name);
    if (layout?.number !== 0 || Date.now() > until) return layout;
    await sleep(10);
  }
}
