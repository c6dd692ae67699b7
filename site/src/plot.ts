import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { colour, onSchemeChange } from "./style/colours.js";

export const axis = () => ({
  stroke: colour("muted"),
  grid: { stroke: colour("edge"), width: 1 },
  ticks: { stroke: colour("edge"), width: 1 },
});

/** A uPlot as wide as its element, in the colours of the scheme. */
export class Plot {
  private plot: uPlot;
  private readonly observer: ResizeObserver;

  constructor(
    private readonly root: HTMLElement,
    private readonly options: () => Omit<uPlot.Options, "width" | "height">,
    private data: uPlot.AlignedData,
    private readonly height = 300,
  ) {
    this.plot = this.create();
    this.observer = new ResizeObserver(() => this.plot.setSize({ width: this.width(), height: this.height }));
    this.observer.observe(root);
    onSchemeChange(() => {
      if (!this.root.contains(this.plot.root)) return;
      this.plot.destroy();
      this.plot = this.create();
    });
  }

  private width(): number {
    const { paddingLeft, paddingRight } = getComputedStyle(this.root);
    return Math.max(200, this.root.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight));
  }

  private create(): uPlot {
    const whole = {
      ...this.options(),
      width: this.width(),
      height: this.height,
      cursor: { drag: { x: false, y: false } },
    };
    return new uPlot(whole, this.data, this.root);
  }

  setData(data: uPlot.AlignedData): void {
    this.data = data;
    this.plot.setData(data);
  }

  destroy(): void {
    this.observer.disconnect();
    this.plot.destroy();
  }
}
