// One of several processes that add at once: node adder.mjs port name from to how
import { fromIoredis, RedisFilter } from "bloomline/redis";
import { Redis } from "ioredis";

const [port, name, from, to, how] = process.argv.slice(2);
const client = new Redis({ port: Number(port), host: "127.0.0.1" });
const keys = Array.from({ length: to - from }, (_, i) => Number(from) + i);
process.stdin.once("data", async () => {
  const filter = await RedisFilter.open(fromIoredis(client), name);
  if (how === "atomic") {
    for (let i = 0; i < keys.length; i += 20) await filter.addMany(keys.slice(i, i + 20));
  } else {
    // The wrong way: read the bits, set some, write them back.
    for (let i = 0; i < keys.length; i += 20) {
      const copy = await filter.snapshot();
      copy.addMany(keys.slice(i, i + 20));
      await client.set(`{${name}:0.0}:bits`, Buffer.from(copy.toBytes().subarray(64)));
    }
  }
  client.disconnect();
  process.exit(0);
});
console.log("ready");
