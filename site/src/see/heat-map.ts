import { colour } from "../style/colours.js";

const STOPS = ["heat-0", "heat-1", "heat-2", "heat-3", "heat-4"];
const LEVELS = 513;

/** Every level's colour as a pixel, mixed from the style sheet's five. */
function palette(): Uint32Array {
  const canvas = new OffscreenCanvas(LEVELS, 1);
  const context = canvas.getContext("2d")!;
  const gradient = context.createLinearGradient(0, 0, LEVELS, 0);
  STOPS.forEach((name, i) => {
    gradient.addColorStop(i / (STOPS.length - 1), colour(name));
  });
  context.fillStyle = gradient;
  context.fillRect(0, 0, LEVELS, 1);
  return new Uint32Array(context.getImageData(0, 0, LEVELS, 1).data.buffer);
}

/** One square per line: a pixel of the canvas, which the style sheet enlarges without smoothing. */
export class HeatMap {
  private colours = palette();

  constructor(private readonly canvas: HTMLCanvasElement) {}

  recolour(): void {
    this.colours = palette();
  }

  draw(ones: Uint16Array): void {
    const side = Math.ceil(Math.sqrt(ones.length));
    const { canvas } = this;
    if (canvas.width !== side) {
      canvas.width = side;
      canvas.height = side;
    }
    const image = new ImageData(side, side);
    const pixels = new Uint32Array(image.data.buffer);
    for (let i = 0; i < ones.length; i++) pixels[i] = this.colours[ones[i]!]!;
    canvas.getContext("2d")!.putImageData(image, 0, 0);
  }
}
