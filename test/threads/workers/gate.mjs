// Threads that start together: a barrier on two words of shared memory.

/**
 * How often a thread looks before it sleeps: some milliseconds. One that has to be woken comes too late to race, so
 * threads wait awake even for one that has to wait for a core.
 */
const LOOKS = 1_000_000;

export function newGate() {
  return new Int32Array(new SharedArrayBuffer(8));
}

/** Returns when `threads` threads have called it. */
export function meet(gate, threads) {
  const round = Atomics.load(gate, 1);
  if (Atomics.add(gate, 0, 1) === threads - 1) {
    Atomics.store(gate, 0, 0);
    Atomics.add(gate, 1, 1);
    Atomics.notify(gate, 1);
    return;
  }
  for (let i = 0; i < LOOKS; i++) if (Atomics.load(gate, 1) !== round) return;
  Atomics.wait(gate, 1, round);
}
