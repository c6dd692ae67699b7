import uPlot from "uplot";
import { axis, Plot } from "../plot.js";
import { colour } from "../style/colours.js";
import type { Filling } from "./filling.js";
import { histogram, poisson } from "./poisson.js";

function data({ keys, keysOfLine }: Filling): uPlot.AlignedData {
  const mean = keys / keysOfLine.length;
  // Six sigma to the right of the mean there is nothing to be seen.
  const most = Math.max(12, Math.ceil(mean + 6 * Math.sqrt(mean)));
  const predicted = poisson(mean, most).map((chance) => chance * keysOfLine.length);
  return [Array.from({ length: most + 1 }, (_, i) => i), histogram(keysOfLine, most), predicted];
}

function options(): Omit<uPlot.Options, "width" | "height"> {
  return {
    scales: {
      x: { time: false, range: (_, low, high) => [low - 0.6, high + 0.6] },
      y: { range: (_, __, high) => [0, high * 1.05] },
    },
    legend: { live: false },
    axes: [axis(), { ...axis(), size: 56 }],
    series: [
      { label: "Keys" },
      {
        label: "Lines seen",
        fill: colour("heat-2"),
        stroke: colour("heat-3"),
        width: 0,
        paths: uPlot.paths.bars!({ size: [0.86] }),
        points: { show: false },
      },
      { label: "Poisson", stroke: colour("maybe"), width: 2, points: { show: false } },
    ],
  };
}

/** Keys per line as they fell, under the curve that they should follow. */
export class HistogramPlot {
  private plot: Plot | undefined;

  constructor(private readonly root: HTMLElement) {}

  draw(filling: Filling): void {
    if (this.plot) this.plot.setData(data(filling));
    else this.plot = new Plot(this.root, options, data(filling), 352);
  }
}
