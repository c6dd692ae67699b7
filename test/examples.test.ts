// The programs in examples/, run as a reader would run them, on fewer keys.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";

const pathOf = (name: string) => fileURLToPath(new URL(`../examples/${name}`, import.meta.url));

async function output(name: string, keys: number): Promise<string> {
  return (await promisify(execFile)(process.execPath, [pathOf(name), String(keys)])).stdout;
}

describe("tour.js", () => {
  test("shows both engines and Set, the measured rate, and no false negative", async () => {
    const shown = await output("tour.js", 20_500);
    expect(shown).toMatch(/^bloomline, wasm +(\d+\.\d +){6}\S+ MB$/m);
    expect(shown).toMatch(/^bloomline, js +(\d+\.\d +){6}\S+ MB$/m);
    expect(shown).toMatch(/^Set +(\d+\.\d +){3}(– +){3}\S+ MB$/m);
    const rate = /^False positives {2}(\d\.\d+) % of unknown URLs, asked for at most 1\.000 %$/m.exec(shown)?.[1];
    // Six sigma of 20,500 questions around 0.98 %.
    expect(Math.abs(Number(rate) - 0.98)).toBeLessThan(0.42);
    expect(shown).toMatch(/^False negatives {2}0$/m);
  });

  test.skipIf(process.platform === "win32")("ends with 130 when it is interrupted", async () => {
    const tour = spawn(process.execPath, [pathOf("tour.js")], { stdio: ["ignore", "ignore", "pipe"] });
    let said = "";
    tour.stderr.setEncoding("utf8").on("data", (text) => {
      if (said === "") tour.kill("SIGINT");
      said += text;
    });
    const [code] = await once(tour, "close");
    expect(code).toBe(130);
    expect(said).toMatch(/Interrupted\.\n$/);
  });
});

test("bit-schemes.js finds bloomline true to theory and double hashing far off", async () => {
  const shown = await output("bit-schemes.js", 50_000);
  const ratios = Array.from(shown.matchAll(/^ {2}(bloomline|double hashing).* (\d\.\d\d) × theory$/gm), ({ 2: x }) =>
    Number(x),
  );
  const [slices6, double6, slices9, double9] = ratios as [number, number, number, number];
  expect(slices6).toBeCloseTo(1, 1);
  expect(double6).toBeGreaterThan(1.1);
  // 420 false positives are expected here: five sigma are a quarter.
  expect(Math.abs(slices9 - 1)).toBeLessThan(0.25);
  expect(double9).toBeGreaterThan(2.5);
});
