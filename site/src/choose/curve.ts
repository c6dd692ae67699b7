import type uPlot from "uplot";
import { axis, Plot } from "../plot.js";
import { colour } from "../style/colours.js";
import type { Sized } from "./kinds.js";

export interface Curve {
  readonly name: string;
  readonly keys: number;
  readonly size: Required<Pick<Sized, "rateAt">>;
}

const STEPS = 121;
export const FULLEST = 3;

function data(curves: readonly Curve[]): uPlot.AlignedData {
  const filled = Array.from({ length: STEPS }, (_, i) => ((i + 1) * FULLEST) / STEPS);
  return [filled, ...curves.map(({ keys, size }) => filled.map((x) => size.rateAt(x * keys)))];
}

function powersOfTen(_: uPlot, ticks: number[]): (number | null)[] {
  return ticks.map((y) => (Math.abs(Math.log10(y) - Math.round(Math.log10(y))) < 1e-9 ? y : null));
}

function options(names: readonly string[], lowest: number): Omit<uPlot.Options, "width" | "height"> {
  const strokes = [colour("accent"), colour("maybe"), colour("good"), colour("bad"), colour("muted")];
  return {
    scales: { x: { time: false }, y: { distr: 3, range: () => [lowest, 1] } },
    axes: [
      { ...axis(), values: (_, ticks) => ticks.map((x) => `${Math.round(100 * x)} %`) },
      {
        ...axis(),
        size: 72,
        filter: powersOfTen,
        grid: { ...axis().grid, filter: powersOfTen },
        ticks: { ...axis().ticks, filter: powersOfTen },
        values: (_, ticks) =>
          ticks.map((y) =>
            y === null ? "" : y >= 1e-3 ? `${Number((100 * y).toPrecision(1))} %` : y.toExponential(0),
          ),
      },
    ],
    legend: { live: false },
    series: [
      { label: "Filled to" },
      ...names.map((label, i) => ({
        label,
        stroke: strokes[i % strokes.length]!,
        width: 2,
        dash: i === 0 ? [] : [6, 4],
      })),
    ],
  };
}

/** The error rate of filters that are filled from nothing to three times their capacity. */
export class OverfillCurve {
  private plot: Plot | undefined;
  private drawn = "";

  constructor(private readonly root: HTMLElement) {}

  draw(curves: readonly Curve[]): void {
    const names = curves.map(({ name }) => name);
    // Three powers of ten below the rate at capacity; further down there is nothing to choose by.
    const least = Math.min(...curves.map(({ keys, size }) => size.rateAt(keys)));
    const lowest = 10 ** Math.floor(Math.log10(least) - 3);
    const drawing = `${names.join()} ${lowest}`;
    if (this.drawn === drawing) {
      this.plot?.setData(data(curves));
      return;
    }
    this.plot?.destroy();
    this.plot = new Plot(this.root, () => options(names, lowest), data(curves));
    this.drawn = drawing;
  }
}
