import type { Argument, RedisPort, Reply, WaitingPort } from "./port.js";

/** As much of a client of the package `ioredis` as is used. */
interface IoredisClient {
  callBuffer(command: string, ...args: (string | Buffer)[]): Promise<unknown>;
  duplicate(): IoredisClient;
  disconnect(): void;
  on(event: "error", listener: (error: unknown) => void): unknown;
  readonly isCluster?: boolean;
}

/** evalshaBuffer, hmgetBuffer, …: for every command of Redis, but not for those of modules. */
type Methods = Record<string, ((...args: (string | Buffer)[]) => Promise<unknown>) | undefined>;

async function send(client: IoredisClient, [name, ...args]: readonly Argument[]): Promise<Reply> {
  const plain = args.map((argument) =>
    typeof argument === "string" || Buffer.isBuffer(argument)
      ? argument
      : Buffer.from(argument.buffer, argument.byteOffset, argument.length),
  );
  // With enableAutoPipelining, callBuffer of ioredis 6 loses the command's name.
  const own = (client as unknown as Methods)[`${(name as string).toLowerCase()}Buffer`];
  return withoutMap(await (own ? own.apply(client, plain) : client.callBuffer(name as string, ...plain)));
}

/** With { replyMapping: "resp3" } a map is an object; here it is the list that it is in RESP2. */
function withoutMap(reply: unknown): Reply {
  const isMap = typeof reply === "object" && reply && !Array.isArray(reply) && !(reply instanceof Uint8Array);
  return (isMap ? Object.entries(reply).flat() : reply) as Reply;
}

/** Your client of the npm package `ioredis`: a Redis or a Cluster, with your options. */
export function fromIoredis(client: unknown): RedisPort {
  if (typeof (client as IoredisClient | undefined)?.callBuffer !== "function") {
    throw new TypeError("client must be a Redis or a Cluster of the npm package ioredis.");
  }
  const given = client as IoredisClient;
  const port: RedisPort = { cluster: given.isCluster === true, send: (_key, command) => send(given, command) };
  if (port.cluster) return port;
  return {
    ...port,
    async connect(): Promise<WaitingPort> {
      const own = given.duplicate();
      // Whoever waits on it is told by the rejected command.
      own.on("error", () => {});
      return { cluster: false, send: (_key, command) => send(own, command), close: () => own.disconnect() };
    },
  };
}
