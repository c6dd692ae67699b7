import type { Argument, RedisPort, Reply, WaitingPort } from "./port.js";

/** As much of a client of the package `redis` as is used. */
interface NodeRedisClient {
  sendCommand(command: readonly (string | Buffer)[], options?: object): Promise<unknown>;
  withTypeMapping(mapping: object): unknown;
  duplicate(): NodeRedisClient;
  connect(): Promise<unknown>;
  destroy(): void;
  on(event: "error", listener: (error: unknown) => void): unknown;
}

interface NodeRedisCluster {
  sendCommand(
    key: string | undefined,
    isReadonly: boolean | undefined,
    command: (string | Buffer)[],
    options?: object,
  ): Promise<unknown>;
  readonly masters: unknown;
}

/** RESP's "$", bulk strings: anything but a Buffer is decoded as UTF-8, which ruins binary replies. And "%", maps: as RESP2 has them. */
const BINARY = { 36: Buffer, 37: Array };

const toArguments = (command: readonly Argument[]) =>
  command.map((argument) =>
    typeof argument === "string" || Buffer.isBuffer(argument)
      ? argument
      : Buffer.from(argument.buffer, argument.byteOffset, argument.length),
  );

function portOf(client: NodeRedisClient): RedisPort {
  const port: RedisPort = {
    cluster: false,
    send: (_key, command, timeout) =>
      client.sendCommand(toArguments(command), { typeMapping: BINARY, timeout }) as Promise<Reply>,
  };
  // A pool has no such thing.
  if (typeof client.duplicate !== "function") return port;
  return {
    ...port,
    async connect(): Promise<WaitingPort> {
      const own = client.duplicate();
      // Whoever waits on it is told by the rejected command.
      own.on("error", () => {});
      await own.connect();
      return { ...portOf(own), close: () => own.destroy() };
    },
  };
}

/** Your client of the npm package `redis`: from createClient, createClientPool or createCluster, with your options. */
export function fromNodeRedis(client: unknown): RedisPort {
  // Clients of ioredis have sendCommand too, and so have multi() and legacy().
  if (typeof (client as NodeRedisClient | undefined)?.withTypeMapping !== "function") {
    throw new TypeError(
      "client must come from createClient, createClientPool or createCluster of the npm package redis; for ioredis there is fromIoredis.",
    );
  }
  if (!("masters" in (client as object))) return portOf(client as NodeRedisClient);
  const cluster = client as NodeRedisCluster;
  return {
    cluster: true,
    send: (key, command, timeout) =>
      cluster.sendCommand(key, false, toArguments(command), { typeMapping: BINARY, timeout }) as Promise<Reply>,
  };
}
