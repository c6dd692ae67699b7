export type Argument = string | Uint8Array;

/** What Redis replied: bulk strings are bytes, whatever the protocol. */
export type Reply = Uint8Array | string | number | bigint | boolean | null | undefined | readonly Reply[];

/** The few calls that are needed of a Redis client; `fromNodeRedis` and `fromIoredis` make one of yours. */
export interface RedisPort {
  /** Whether keys are spread over several servers. */
  readonly cluster: boolean;
  /** Sends a command to the server that has the key. What is not sent within `timeoutMs` need not be sent at all. */
  send(key: string, command: readonly Argument[], timeoutMs?: number): Promise<Reply>;
  /** A connection of its own, for a command that waits; a cluster has none. */
  connect?(): Promise<WaitingPort>;
}

export interface WaitingPort extends RedisPort {
  close(): void;
}

/** A Lua script and the name Redis knows it by. */
export interface Script {
  readonly sha1: string;
  readonly text: string;
}

export const bytesOf = (reply: Reply): Uint8Array => {
  if (reply instanceof Uint8Array) return reply;
  throw new TypeError(`Redis replied ${String(reply)} where bytes were due; the client must not decode them.`);
};

export const textOf = (reply: Reply): string =>
  reply instanceof Uint8Array ? Buffer.from(reply.buffer, reply.byteOffset, reply.length).toString() : String(reply);
