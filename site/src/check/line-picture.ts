import { isSet } from "../list/probes.js";
import { colour } from "../style/colours.js";

const COLUMNS = 64;
const ROWS = 8;
const CELL = 4;

/** The 512 bits of a line, row by row: those that are set, and around them the ones that the key asks for. */
export function linePicture(line: Uint8Array, positions: readonly number[]): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = COLUMNS * CELL;
  canvas.height = ROWS * CELL;
  canvas.className = "line";
  canvas.setAttribute("aria-hidden", "true");
  const context = canvas.getContext("2d")!;
  const [set, clear, found, missing] = ["bit-set", "bit-clear", "accent", "bad"].map(colour) as string[];
  const fill = (position: number, style: string) => {
    context.fillStyle = style;
    context.fillRect((position % COLUMNS) * CELL, Math.floor(position / COLUMNS) * CELL, CELL - 1, CELL - 1);
  };
  for (let position = 0; position < 512; position++) fill(position, isSet(line, position) ? set! : clear!);
  for (const position of positions) fill(position, isSet(line, position) ? found! : missing!);
  return canvas;
}
