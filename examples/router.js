// node examples/router.js [keys]: a router in front of nodes that each hold some of the keys. It fetches every node's
// Bloom filter, puts them in a FilterBank, and asks only nodes that may hold a key. Everything is real HTTP on 127.0.0.1.
import { once } from "node:events";
import { createServer } from "node:http";
import { BloomFilter, FilterBank } from "bloomline";

const NODES = 40;
const keys = Number(process.argv[2] ?? 20_000);
const geometry = { capacity: Math.ceil((keys / NODES) * 1.5), errorRate: 0.01 };

/** A node: answers for its keys, and gives away a filter of them. */
async function startNode(own) {
  const held = new Set(own);
  const filter = BloomFilter.from(own, geometry).toBytes();
  let asked = 0;
  const server = createServer((request, response) => {
    if (request.url === "/filter") return response.end(filter);
    asked++;
    response.statusCode = held.has(decodeURIComponent(request.url.slice(1))) ? 200 : 404;
    response.end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return { url: `http://127.0.0.1:${server.address().port}`, server, asked: () => asked };
}

const name = (i) => `photo ${i}`;
const nodes = await Promise.all(
  Array.from({ length: NODES }, (_, node) => {
    const own = Array.from({ length: keys }, (_, i) => i).filter((i) => ((i * 2654435761) % 997) % NODES === node);
    return startNode(own.map(name));
  }),
);

const bank = new FilterBank({ filters: NODES, ...geometry });
for (const [i, { url }] of nodes.entries()) {
  const bytes = new Uint8Array(await (await fetch(`${url}/filter`)).arrayBuffer());
  bank.replace(i, BloomFilter.fromBytes(bytes));
}

/** The node that holds the key, or undefined; asks the candidates in turn. */
async function route(key) {
  for (const i of bank.which(key)) {
    const { status } = await fetch(`${nodes[i].url}/${encodeURIComponent(key)}`);
    if (status === 200) return i;
  }
  return undefined;
}

const asked = 200;
let found = 0;
for (let i = 0; i < asked; i++) if ((await route(name(i * 7))) !== undefined) found++;
for (let i = 0; i < asked; i++) if ((await route(`nothing ${i}`)) !== undefined) throw new Error("Found nothing.");
const requests = nodes.reduce((sum, node) => sum + node.asked(), 0);
console.log(`${found} of ${asked} keys found on ${NODES} nodes; ${asked} that nobody holds were not`);
console.log(`requests to nodes: ${requests}, of ${asked * 2 * NODES} if all were asked`);
for (const { server } of nodes) {
  server.close();
  server.closeAllConnections();
}
