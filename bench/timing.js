import { Bench } from "tinybench";

/**
 * Times passes over `sample` keys. Besides the samples, in ns a key, it tells the share of a core that the process had:
 * well below 1, others were using the machine and the samples are too long.
 */
export function timePasses({ iterations, warmups }, sample, passes) {
  const bench = new Bench({ time: 0, iterations, warmupTime: 0, warmupIterations: warmups, retainSamples: true });
  for (const { name, pass, before } of passes) bench.add(name, pass, { beforeEach: before });

  const cpuBefore = process.cpuUsage();
  const start = performance.now();
  bench.runSync();
  const wall = performance.now() - start;
  const { user, system } = process.cpuUsage(cpuBefore);

  const samples = {};
  for (const { name, result } of bench.tasks) {
    if (result.error) throw result.error;
    samples[name] = result.latency.samples.map((ms) => (ms * 1e6) / sample);
  }
  return { samples, cpuShare: (user + system) / 1e3 / wall };
}
