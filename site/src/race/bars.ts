import { find, make } from "../dom.js";
import { bytes, digits, rate, short } from "../format.js";
import type { Entrant, Score } from "./race.js";

/** A bar for each entrant, redrawn as scores come in; the ratio is to the rival. */
export class Bars {
  private scores = new Map<Entrant, Score>();
  private items = new Map<Entrant, HTMLElement>();

  constructor(private readonly root: HTMLElement) {}

  reset(entrants: readonly Entrant[]): void {
    this.scores.clear();
    this.items = new Map(
      entrants.map((entrant) => [
        entrant,
        make(
          "li",
          { class: entrant.subject },
          make("span", { class: "name" }, entrant.name),
          make("span", { class: "track" }, make("span", { class: "bar" })),
          make("span", { class: "ratio" }, ""),
          make("small", { class: "detail" }, "waiting"),
        ),
      ]),
    );
    this.root.replaceChildren(...this.items.values());
  }

  note(name: string, text: string): void {
    this.root.append(
      make("li", { class: "missing" }, make("span", { class: "name" }, name), make("small", { class: "detail" }, text)),
    );
  }

  add(score: Score): void {
    this.scores.set(score.entrant, score);
    const all = [...this.scores.values()];
    const fastest = Math.max(...all.map((score) => score.rate));
    const rival = all.find(({ entrant }) => entrant.subject === "bloomfilter");
    for (const score of all) this.show(score, fastest, rival);
  }

  private show({ entrant, rate: lookups, byteLength, wrong }: Score, fastest: number, rival: Score | undefined): void {
    const item = this.items.get(entrant)!;
    find(item, ".bar").style.inlineSize = `${(100 * lookups) / fastest}%`;
    find(item, ".ratio").textContent = rival ? `${digits(lookups / rival.rate)} ×` : "";
    const memory = byteLength === undefined ? "keeps every key" : bytes(byteLength);
    find(item, ".detail").textContent =
      `${short(lookups)} lookups a second, ${digits(1e9 / lookups)} ns each · ${memory} · ${rate(wrong)} wrong`;
  }
}
