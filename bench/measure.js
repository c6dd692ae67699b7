// One subject in one process, so that it meets only its own JIT feedback. Argument: a task as JSON. Prints its samples.
import { inBatches, makeKeys } from "./keys.js";
import { timePasses } from "./timing.js";

const BATCH = 1000;
const task = JSON.parse(process.argv[2]);
const { default: adapter } = await import(`./adapters/${task.adapter}.js`);
const { add, has, addMany, hasMany } = adapter;

const single = {
  prepare: (keys) => keys,
  add(filter, keys) {
    for (let i = 0; i < keys.length; i++) add(filter, keys[i]);
  },
  has(filter, keys) {
    let found = 0;
    for (let i = 0; i < keys.length; i++) if (has(filter, keys[i])) found++;
    return found;
  },
  count: (filter, keys) => single.has(filter, keys),
};

const batch = {
  prepare: (keys) => inBatches(keys, BATCH),
  add(filter, batches) {
    for (let i = 0; i < batches.length; i++) addMany(filter, batches[i]);
  },
  has(filter, batches) {
    for (let i = 0; i < batches.length; i++) hasMany(filter, batches[i]);
  },
  count(filter, batches) {
    let found = 0;
    for (const keys of batches) {
      const answers = hasMany(filter, keys);
      for (let i = 0; i < keys.length; i++) found += answers[i];
    }
    return found;
  },
};

const way = task.batched ? batch : single;
const sample = Math.ceil(task.sample * (adapter.sampleShare ?? 1));
const members = way.prepare(makeKeys(task.keys, 0, sample));
// Equal to the members, but not the same objects: a Set knows its own strings by their address.
const known = way.prepare(makeKeys(task.keys, 0, sample));
const strangers = way.prepare(makeKeys(task.keys, sample, sample));

const filter = adapter.create(task.capacity, task.errorRate);
if (task.prefilled) adapter.prefill(filter, task.capacity - sample);
way.add(filter, members);

const passes = [
  { name: "hit", pass: () => way.has(filter, known) },
  { name: "miss", pass: () => way.has(filter, strangers) },
];
if (!task.prefilled) {
  const create = () => adapter.create(task.capacity, task.errorRate);
  let empty = create();
  passes.unshift({
    name: "add",
    pass: () => way.add(empty, members),
    before() {
      empty = create();
    },
  });
}
const timed = timePasses(task, sample, passes);

const found = way.count(filter, known);
if (found !== sample) throw new Error(`${adapter.name} lost ${sample - found} of ${sample} keys.`);

console.log(
  JSON.stringify({
    ...timed,
    falsePositives: way.count(filter, strangers) / sample,
    bytes: adapter.bytes?.(filter),
  }),
);
