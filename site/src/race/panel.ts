import { abilities, canShare, hasWasm, threads } from "../browser.js";
import { find } from "../dom.js";
import type { Panel } from "../panel.js";
import { Bars } from "./bars.js";
import markup from "./panel.html?raw";
import { type Entrant, race } from "./race.js";
import { watchLongTasks } from "./smooth.js";

function entrantsFor(workers: number): Entrant[] {
  const alone: Entrant[] = [
    { name: "bloomline, wasm", subject: "wasm", workers: 1 },
    { name: "bloomline, JavaScript", subject: "js", workers: 1 },
    { name: "npm bloomfilter", subject: "bloomfilter", workers: 1 },
    { name: "Set", subject: "set", workers: 1 },
  ];
  const shared = Array.from(
    { length: canShare ? workers : 0 },
    (_, i): Entrant => ({
      name: `bloomline, shared by ${i + 1} ${i === 0 ? "worker" : "workers"}`,
      subject: "shared",
      workers: i + 1,
    }),
  );
  return [...alone.filter(({ subject }) => subject !== "wasm" || hasWasm), ...shared];
}

export default function start(root: HTMLElement): Panel {
  root.innerHTML = markup;
  const workers = find<HTMLInputElement>(root, "#race-workers");
  const startButton = find<HTMLButtonElement>(root, "[data-start]");
  const stopButton = find<HTMLButtonElement>(root, "[data-stop]");
  const progress = find<HTMLProgressElement>(root, "[data-progress]");
  const status = find(root, "[data-status]");
  const bars = new Bars(find(root, "[data-bars]"));
  let abort = new AbortController();

  workers.max = String(threads);
  workers.value = String(Math.min(2, threads));
  workers.disabled = !canShare;
  const showWorkers = () => {
    find(root, "[data-workers-shown]").textContent = canShare ? workers.value : "none";
  };
  workers.addEventListener("input", showWorkers);
  showWorkers();
  const off = abilities.filter(({ on }) => !on);
  find(root, "[data-off]").hidden = off.length === 0;
  find(root, "[data-off]").textContent = off.map(({ name, why }) => `${name} is off. ${why}`).join(" ");

  async function run() {
    abort = new AbortController();
    const entrants = entrantsFor(Number(workers.value));
    bars.reset(entrants);
    if (!hasWasm) bars.note("bloomline, wasm", "WebAssembly is refused here");
    startButton.disabled = true;
    stopButton.disabled = false;
    const stopWatching = watchLongTasks((tasks) => {
      find(root, "[data-smooth]").textContent =
        `Tasks that held this page up for more than 50 ms meanwhile: ${tasks === 0 ? "none" : tasks}.`;
    });
    try {
      await race(entrants, {
        keys: Number(find<HTMLSelectElement>(root, "[data-keys]").value),
        batch: find<HTMLInputElement>(root, "[data-batch]").checked,
        signal: abort.signal,
        onScore: (score) => bars.add(score),
        onProgress(fraction, doing) {
          progress.value = fraction;
          status.textContent = doing;
        },
      });
      progress.value = 1;
      status.textContent = "done";
    } catch (error) {
      progress.value = 0;
      status.textContent = abort.signal.aborted ? "stopped" : `failed: ${(error as Error).message}`;
    } finally {
      stopWatching();
      startButton.disabled = false;
      stopButton.disabled = true;
    }
  }

  find(root, "form").addEventListener("submit", (event) => {
    event.preventDefault();
    run();
  });
  stopButton.addEventListener("click", () => abort.abort());
  bars.reset(entrantsFor(Number(workers.value)));
  return { root, hide: () => abort.abort() };
}
