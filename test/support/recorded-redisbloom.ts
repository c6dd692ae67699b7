// A server that replies to BF.* as a real RedisBloom did: what it says of a filter was recorded (test/vectors), and what
// was not recorded is an error. It speaks RESP2 and RESP3 over TCP, so that real clients read real bytes.

import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";

interface Recorded {
  readonly name: string;
  readonly error: number;
  readonly capacity: number;
  readonly expansion?: number;
  readonly items: number;
  readonly alreadyPresentAtAdd: readonly number[];
  readonly info: readonly (string | number)[];
  readonly chunks: readonly [number, string][];
  readonly falsePositives: readonly number[];
}

export const recorded: { readonly filters: readonly Recorded[] } = JSON.parse(
  readFileSync(new URL("../vectors/redisbloom.json", import.meta.url), "utf8"),
);

/** Item j of a recorded filter. */
export function itemOf(j: number): string {
  if (j % 3 === 0) return `k:${j}`;
  return j % 3 === 1 ? `ключ-${j}-${"x".repeat(j % 23)}` : String(j * 7919);
}

class Refused extends Error {}
class Map2 {
  constructor(readonly flat: readonly unknown[]) {}
}

/** RESP for a value: booleans and maps only where the client asked for RESP3. */
function encode(value: unknown, resp: number): Buffer {
  if (value instanceof Refused) return Buffer.from(`-${value.message}\r\n`);
  if (typeof value === "boolean")
    return Buffer.from(resp === 3 ? `#${value ? "t" : "f"}\r\n` : `:${Number(value)}\r\n`);
  if (typeof value === "number") return Buffer.from(`:${value}\r\n`);
  if (value === "OK") return Buffer.from("+OK\r\n");
  if (typeof value === "string" || Buffer.isBuffer(value)) {
    const bytes = Buffer.from(value as string);
    return Buffer.concat([Buffer.from(`$${bytes.length}\r\n`), bytes, Buffer.from("\r\n")]);
  }
  const items = value instanceof Map2 ? value.flat : (value as unknown[]);
  const head = value instanceof Map2 && resp === 3 ? `%${items.length / 2}` : `*${items.length}`;
  return Buffer.concat([Buffer.from(`${head}\r\n`), ...items.map((item) => encode(item, resp))]);
}

interface Held {
  readonly filter: Recorded;
  readonly added: Set<number>;
  readonly full: number | undefined;
}

export class RecordedRedisBloom {
  readonly keys = new Map<string, Held>();
  readonly commands: string[] = [];
  private readonly sockets = new Set<Socket>();
  private readonly server = createServer((socket) => this.serve(socket));
  private readonly numbers = new Map(Array.from({ length: 3000 }, (_, j) => [itemOf(j), j]));

  static async start(): Promise<RecordedRedisBloom> {
    const server = new RecordedRedisBloom();
    server.server.listen(0, "127.0.0.1");
    await once(server.server, "listening");
    return server;
  }

  get port(): number {
    return (this.server.address() as { port: number }).port;
  }

  stop(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }

  private serve(socket: Socket): void {
    this.sockets.add(socket);
    let waiting = Buffer.alloc(0);
    let resp = 2;
    socket.on("error", () => {});
    socket.on("data", (data) => {
      waiting = Buffer.concat([waiting, data]);
      for (let parsed = parse(waiting); parsed; parsed = parse(waiting)) {
        waiting = waiting.subarray(parsed.length);
        const [name, ...args] = parsed.args as [string, ...string[]];
        if (name.toUpperCase() === "HELLO") resp = Number(args[0]);
        let reply: unknown;
        try {
          reply = this.reply(name.toUpperCase(), args);
        } catch (error) {
          reply = error;
        }
        socket.write(encode(reply, resp));
      }
    });
  }

  private held(key: string): Held {
    const held = this.keys.get(key);
    if (!held) throw new Refused("ERR not found");
    return held;
  }

  private reply(name: string, [key = "", ...args]: string[]): unknown {
    this.commands.push(name);
    switch (name) {
      case "HELLO":
        return new Map2(["server", "redis", "proto", Number(key)]);
      case "CLIENT":
        return "OK";
      case "INFO":
        return "redis_version:8.0.6\r\n";
      case "UNLINK":
        return Number(this.keys.delete(key));
      case "BF.RESERVE":
        return this.reserve(key, args);
      case "BF.INSERT":
        if (args[0] !== "NOCREATE" || args[1] !== "ITEMS") throw new Refused("ERR not recorded");
        return this.insert(this.held(key), args.slice(2));
      case "BF.MEXISTS":
        return this.exists(this.keys.get(key), args);
      case "BF.CARD":
        return this.keys.get(key)?.added.size ?? 0;
      case "BF.INFO":
        return new Map2(this.info(this.held(key)));
      case "BF.SCANDUMP":
        return this.chunk(this.held(key), Number(args[0]));
      default:
        throw new Refused(`ERR unknown command '${name}'`);
    }
  }

  private reserve(key: string, [error, capacity, scaling, expansion]: string[]): string {
    if (this.keys.has(key)) throw new Refused("ERR item exists");
    const nonScaling = scaling === "NONSCALING";
    const filter = recorded.filters.find(
      (each) =>
        each.error === Number(error) &&
        each.capacity === Number(capacity) &&
        (nonScaling || (each.expansion ?? 2) === Number(expansion)),
    );
    if (!filter) throw new Refused("ERR not recorded");
    this.keys.set(key, { filter, added: new Set(), full: nonScaling ? filter.capacity : undefined });
    return "OK";
  }

  private insert({ filter, added, full }: Held, items: string[]): unknown[] {
    const flags: unknown[] = [];
    for (const item of items) {
      const j = this.numbers.get(item);
      if (j === undefined || j >= filter.items) throw new Refused("ERR not recorded");
      if (full !== undefined && added.size >= full) {
        flags.push(new Refused("ERR non scaling filter is full"));
        break;
      }
      const fresh = !added.has(j) && !filter.alreadyPresentAtAdd.includes(j);
      if (fresh) added.add(j);
      flags.push(fresh);
    }
    return flags;
  }

  private complete({ filter, added }: Held): boolean {
    return added.size === filter.items - filter.alreadyPresentAtAdd.length;
  }

  private exists(held: Held | undefined, items: string[]): boolean[] {
    if (!held) return items.map(() => false);
    return items.map((item) => {
      const j = this.numbers.get(item);
      if (j !== undefined && held.added.has(j)) return true;
      // Strangers were recorded when the filter was complete.
      if (!this.complete(held)) throw new Refused("ERR not recorded");
      if (j !== undefined && j < held.filter.items) return true;
      const stranger = /^absent\/(\d+)$/.exec(item)?.[1];
      if (stranger === undefined) throw new Refused("ERR not recorded");
      return held.filter.falsePositives.includes(Number(stranger));
    });
  }

  private info(held: Held): (string | number)[] {
    if (this.complete(held)) return [...held.filter.info];
    const { capacity, expansion = 2 } = held.filter;
    const rate = held.full === undefined ? expansion : 0;
    const items = ["Number of items inserted", held.added.size];
    return ["Capacity", capacity, "Size", 0, "Number of filters", 1, ...items, "Expansion rate", rate];
  }

  private chunk(held: Held, iterator: number): [number, Buffer] {
    if (!this.complete(held)) throw new Refused("ERR not recorded");
    const { chunks } = held.filter;
    const at = iterator === 0 ? 0 : chunks.findIndex(([each]) => each === iterator) + 1;
    const [next, data] = chunks[at] ?? [0, ""];
    return [next, Buffer.from(data, "base64")];
  }
}

/** The first command in the bytes, if it is whole. */
function parse(bytes: Buffer): { args: string[]; length: number } | undefined {
  let at = 0;
  const line = () => {
    const end = bytes.indexOf("\r\n", at);
    if (end < 0) return undefined;
    const text = bytes.toString("latin1", at + 1, end);
    at = end + 2;
    return Number(text);
  };
  const count = line();
  if (count === undefined) return undefined;
  const args: string[] = [];
  for (let i = 0; i < count; i++) {
    const length = line();
    if (length === undefined || at + length + 2 > bytes.length) return undefined;
    args.push(bytes.toString("utf8", at, at + length));
    at += length + 2;
  }
  return { args, length: at };
}
