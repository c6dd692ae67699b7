import { find, make } from "../dom.js";
import { count, digits, rate } from "../format.js";
import type { Panel } from "../panel.js";
import { onSchemeChange } from "../style/colours.js";
import { Filling } from "./filling.js";
import { HeatMap } from "./heat-map.js";
import { HistogramPlot } from "./histogram-plot.js";
import markup from "./panel.html?raw";

/** Beyond three times the capacity, everything is full. */
const FULLEST = 3;
const FRAMES_PER_MEASUREMENT = 12;

export default function start(root: HTMLElement): Panel {
  root.innerHTML = markup;
  const play = find<HTMLButtonElement>(root, "[data-play]");
  const pace = find<HTMLInputElement>(root, "#see-pace");
  const map = new HeatMap(find(root, "[data-map]"));
  const histogram = new HistogramPlot(find(root, "[data-histogram]"));
  const chosen = (name: string) => Number(find<HTMLSelectElement>(root, `[data-${name}]`).value);
  const perFrame = () => Math.round(10 ** Number(pace.value));

  let filling: Filling;
  let measured = 0;
  let frame = 0;
  let playing = false;

  const isFull = () => filling.keys >= FULLEST * filling.filter.capacity;

  function facts(): [name: string, seen: string, predicted: string][] {
    const mean = filling.keys / filling.filter.lines;
    const square = filling.keysOfLine.reduce((sum, keys) => sum + (keys - mean) ** 2, 0);
    return [
      ["Bits set", rate(filling.filter.fillRatio), rate(filling.predictedFill())],
      ["Wrong answers to 20,000 strangers", rate(measured), rate(filling.predictedRate())],
      ["Keys in a line, standard deviation", digits(Math.sqrt(square / filling.filter.lines)), digits(Math.sqrt(mean))],
      ["Keys, from the bits", count(filling.filter.count), count(filling.keys)],
    ];
  }

  function draw() {
    const { keys, filter } = filling;
    map.draw(filling.onesOfLine());
    histogram.draw(filling);
    const filled = `${count(keys)} of ${count(filter.capacity)}, ${Math.round((100 * keys) / filter.capacity)} %`;
    find(root, "[data-count]").textContent = filled;
    find(root, "[data-map]").setAttribute(
      "aria-label",
      `${count(filter.lines)} lines, ${rate(filter.fillRatio)} of their bits set`,
    );
    find(root, "[data-histogram]").setAttribute(
      "aria-label",
      `Keys per line, with a mean of ${digits(keys / filter.lines)}, beside the Poisson distribution of that mean`,
    );
    find(root, "[data-facts]").replaceChildren(
      ...facts().map(([name, seen, predicted]) =>
        make(
          "tr",
          {},
          make("th", { scope: "row" }, name),
          make("td", { class: "number" }, seen),
          make("td", { class: "number" }, predicted),
        ),
      ),
    );
  }

  function add(keys: number) {
    filling.add(Math.min(keys, Math.ceil(FULLEST * filling.filter.capacity - filling.keys)));
  }

  function measure() {
    measured = filling.measuredRate();
    draw();
  }

  function stream() {
    if (!playing) return;
    add(perFrame());
    if (isFull()) setPlaying(false);
    else if (++frame % FRAMES_PER_MEASUREMENT === 0) measure();
    else draw();
    requestAnimationFrame(stream);
  }

  function setPlaying(on: boolean) {
    playing = on;
    play.textContent = on ? "Pause" : "Stream keys";
    play.setAttribute("aria-pressed", String(on));
    if (on) requestAnimationFrame(stream);
    else measure();
  }

  function reset() {
    filling = new Filling(chosen("lines"), chosen("rate"));
    setPlaying(false);
  }

  const showPace = () => {
    find(root, "[data-speed]").textContent = count(perFrame());
    pace.setAttribute("aria-valuetext", `${count(perFrame())} keys a frame`);
  };

  play.addEventListener("click", () => {
    if (!playing && isFull()) reset();
    setPlaying(!playing);
  });
  find(root, "[data-step]").addEventListener("click", () => {
    add(1000);
    measure();
  });
  find(root, "[data-reset]").addEventListener("click", reset);
  for (const name of ["lines", "rate"]) find(root, `[data-${name}]`).addEventListener("change", reset);
  pace.addEventListener("input", showPace);
  onSchemeChange(() => {
    map.recolour();
    draw();
  });
  showPace();

  return {
    root,
    show() {
      filling ? draw() : reset();
    },
    hide() {
      if (playing) setPlaying(false);
    },
  };
}
