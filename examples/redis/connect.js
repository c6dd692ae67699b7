import { createClient } from "redis";

/** A client for the server in REDIS_URL, by default the one on this machine. */
export async function connect() {
  const url = process.env.REDIS_URL ?? "redis://127.0.0.1:6379";
  const client = createClient({ url, socket: { reconnectStrategy: false } });
  client.on("error", () => {});
  try {
    return await client.connect();
  } catch {
    console.error(`There is no Redis at ${url}. Start one (redis-server), or set REDIS_URL.`);
    process.exit(1);
  }
}
