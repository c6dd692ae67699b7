import type { Argument, RedisPort, Reply, WaitingPort } from "./port.js";

/** As much of a client of the package `ioredis` as is used. */
interface IoredisClient {
  callBuffer(command: string, ...args: (string | Buffer)[]): Promise<unknown>;
  duplicate(): IoredisClient;
  disconnect(): void;
  on(event: "error", listener: (error: unknown) => void): unknown;
  readonly isCluster?: boolean;
}

function send(client: IoredisClient, [name, ...args]: readonly Argument[]): Promise<Reply> {
  const plain = args.map((argument) =>
    typeof argument === "string" || Buffer.isBuffer(argument)
      ? argument
      : Buffer.from(argument.buffer, argument.byteOffset, argument.length),
  );
  return client.callBuffer(name as string, ...plain) as Promise<Reply>;
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
