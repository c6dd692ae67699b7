import { type Browser, chromium } from "playwright-core";
import { needs } from "./needs.js";

/** The system's Chromium, which is to talk to nobody but the tests. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: needs.chromium as string,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}
