import type { Answer, Prepared, Request, Run } from "./messages.js";

/** A worker that answers one question at a time. */
export class Runner {
  private readonly worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });

  private ask(request: Request): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.worker.onmessage = ({ data }: MessageEvent<Answer>) => resolve(data);
      this.worker.onerror = ({ message }) => reject(new Error(message || "the worker could not be started"));
      this.worker.postMessage(request);
    });
  }

  async prepare(request: Extract<Request, { keys: number }>): Promise<Prepared> {
    const answer = await this.ask(request);
    if ("prepared" in answer) return answer.prepared;
    throw new Error("failed" in answer ? answer.failed : "out of turn");
  }

  async run(runFor: number, batch: boolean): Promise<Run> {
    const answer = await this.ask({ runFor, batch });
    if ("run" in answer) return answer.run;
    throw new Error("failed" in answer ? answer.failed : "out of turn");
  }

  end(): void {
    this.worker.terminate();
  }
}
