import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "redis";

/** A redis-server of its own on a free port, without persistence. */
export async function startRedis() {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address();
  probe.close();
  const args = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
  const server = spawn("redis-server", args, { stdio: "ignore" });
  server.on("error", () => {
    console.error("redis-server is missing; on Debian: apt-get install redis-server");
    process.exit(1);
  });
  const url = `redis://127.0.0.1:${port}`;
  for (;;) {
    const client = createClient({ url, socket: { reconnectStrategy: false } });
    client.on("error", () => {});
    try {
      await client.connect();
      client.destroy();
      return { port, url, stop: () => server.kill() };
    } catch {
      await sleep(20);
    }
  }
}
