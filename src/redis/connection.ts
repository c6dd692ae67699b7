import { BloomlineError } from "../errors.js";
import type { Argument, RedisPort, Reply, Script } from "./port.js";

/** A port with a limit on how long to wait, whose every failure is a BloomlineError. */
export class Connection {
  constructor(
    readonly port: RedisPort,
    readonly timeoutMs: number,
  ) {}

  async send(key: string, command: readonly Argument[]): Promise<Reply> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no reply within ${this.timeoutMs} ms`)), this.timeoutMs);
    });
    try {
      return await Promise.race([this.port.send(key, command, this.timeoutMs), late]);
    } catch (error) {
      const reason = (error instanceof Error ? error.message : String(error)).replace(/\.$/, "");
      throw new BloomlineError("ERR_REDIS", `Redis did not do ${command[0]} for ${key}: ${reason}.`, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }

  /** By its name; by its text where the server does not know it yet, or not any more. */
  async run(script: Script, keys: readonly string[], args: readonly Argument[]): Promise<Reply> {
    const rest = [String(keys.length), ...keys, ...args];
    const key = keys[0] as string;
    try {
      return await this.send(key, ["EVALSHA", script.sha1, ...rest]);
    } catch (error) {
      if (!isReply(error, "NOSCRIPT")) throw error;
      return this.send(key, ["EVAL", script.text, ...rest]);
    }
  }
}

/** Whether the server itself replied with this error. */
export function isReply(error: unknown, code: string): boolean {
  const cause = (error as Error | undefined)?.cause;
  return cause instanceof Error && cause.message.startsWith(code);
}
