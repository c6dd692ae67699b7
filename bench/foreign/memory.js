// Opens dumps of 100 MB: what is held afterwards, as a multiple of the dump. Run with node --expose-gc.
import { funnels, GuavaBloomFilter, RedisBloomDump } from "../../dist/interop/index.js";

const GOAL = 1.05;
const pause = () => new Promise((resolve) => setTimeout(resolve, 50));

async function held() {
  for (let i = 0; i < 3; i++) {
    gc();
    await pause();
  }
  const { arrayBuffers, external } = process.memoryUsage();
  return Math.max(arrayBuffers, external);
}

async function judge(name, size, open) {
  const before = await held();
  const filter = await open();
  const ratio = ((await held()) - before) / size;
  filter.dispose();
  console.log(
    `${ratio <= GOAL ? "PASS" : "MISS"}  ${name}: ${ratio.toFixed(3)} times its ${(size / 1e6).toFixed(0)} MB, at most ${GOAL}`,
  );
}

const bytes = GuavaBloomFilter.create(funnels.long, 83_000_000, 0.01).toBytes();
await judge("Guava, fromBytes", bytes.length, () => GuavaBloomFilter.fromBytes(bytes, funnels.long));

const PIECE = 65_536;
async function* pieces() {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.slice(at, at + PIECE);
}
await judge("Guava, fromStream", bytes.length, () => GuavaBloomFilter.fromStream(pieces(), bytes.length, funnels.long));

const dump = RedisBloomDump.create({ capacity: 83_000_000, errorRate: 0.02 });
await judge("RedisBloom, fromChunks", dump.byteLength, () => RedisBloomDump.fromChunks(dump.chunks()));
