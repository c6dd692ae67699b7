import { find, make } from "../dom.js";
import { bytes, count, digits, rate } from "../format.js";
import type { Panel } from "../panel.js";
import { nextTurn, unlessOvertaken } from "../slices.js";
import { type Curve, OverfillCurve } from "./curve.js";
import { type Kind, kinds, type Sized } from "./kinds.js";
import markup from "./panel.html?raw";

const FILLINGS = [0.5, 1, 1.25, 1.5, 2, 3];

/** Two digits: sliders are for looking around, and round numbers read better. */
const rounded = (n: number) => Number(n.toPrecision(2));

/** The chance that at least one of so many lookups is wrong. */
const perUrl = (errorRate: number, lookups: number) => -Math.expm1(lookups * Math.log1p(-errorRate));

type Outcome = { readonly size: Sized } | { readonly refused: string };

async function sizeOf(kind: Kind, keys: number, errorRate: number): Promise<Outcome> {
  try {
    return { size: await kind.size(keys, errorRate) };
  } catch (error) {
    if (error instanceof RangeError) return { refused: error.message };
    throw error;
  }
}

const number = (text: string) => make("td", { class: "number" }, text);

export default function start(root: HTMLElement): Panel {
  root.innerHTML = markup;
  const slider = (name: string) => Number(find<HTMLInputElement>(root, `#choose-${name}`).value);
  const curve = new OverfillCurve(find(root, "[data-curve]"));
  find(root, "[data-fillings]").append(
    ...FILLINGS.map((filling) => make("th", { scope: "col", class: "number" }, `${100 * filling} %`)),
  );

  function row(name: string, about: string, outcome: Outcome, keys: number, lookups: number, largest: number) {
    const head = make("th", { scope: "row" }, name, make("small", {}, about));
    if ("refused" in outcome) return make("tr", {}, head, make("td", { colspan: 6, class: "muted" }, outcome.refused));
    const { byteLength, hashes, errorRate } = outcome.size;
    const bar = make("span", { class: "bar" });
    bar.style.inlineSize = `${(100 * byteLength) / largest}%`;
    return make(
      "tr",
      {},
      head,
      number(digits((8 * byteLength) / keys)),
      number(bytes(byteLength)),
      make("td", { class: "bars" }, bar),
      number(hashes === undefined ? "–" : String(hashes)),
      number(rate(errorRate)),
      number(rate(perUrl(errorRate, lookups))),
    );
  }

  let abort = new AbortController();

  async function update() {
    abort.abort();
    abort = new AbortController();
    const { signal } = abort;
    const keys = rounded(10 ** slider("keys"));
    const errorRate = rounded(10 ** -slider("rate"));
    const lookups = slider("lookups");
    const outputs = { keys: count(keys), rate: rate(errorRate), lookups: String(lookups) };
    for (const [name, text] of Object.entries(outputs)) {
      find(root, `[data-${name}]`).textContent = text;
      find(root, `#choose-${name}`).setAttribute("aria-valuetext", text);
    }

    const sized: (Kind & { outcome: Outcome })[] = [];
    for (const kind of kinds) {
      sized.push({ ...kind, outcome: await sizeOf(kind, keys, errorRate) });
      await nextTurn();
      signal.throwIfAborted();
    }
    const largest = Math.max(...sized.map(({ outcome }) => ("size" in outcome ? outcome.size.byteLength : 0)));
    find(root, "[data-kinds]").replaceChildren(
      ...sized.map(({ name, about, outcome }) => row(name, about, outcome, keys, lookups, largest)),
    );
    find(root, "[data-hint]").textContent =
      `One check of a URL asks ${lookups === 1 ? "once" : `${lookups} times`}: about 4 are usual, 30 the most. ` +
      `For ${rate(errorRate)} per URL, choose ${rate(errorRate / lookups)} per lookup.`;
    find(root, "[data-code]").textContent =
      `new BloomFilter({ capacity: ${count(keys).replaceAll(",", "_")}, errorRate: ${errorRate} })`;

    const curves = sized.flatMap(({ name, outcome }): Curve[] => {
      const rateAt = "size" in outcome ? outcome.size.rateAt : undefined;
      return rateAt ? [{ name, keys, size: { rateAt } }] : [];
    });
    curve.draw(curves);
    find(root, "[data-curve]").setAttribute(
      "aria-label",
      `Error rate against filling for ${curves.map(({ name }) => name).join(" and ")}; the table below has the figures.`,
    );
    find(root, "[data-rates]").replaceChildren(
      ...curves.map(({ name, size }) =>
        make(
          "tr",
          {},
          make("th", { scope: "row" }, name),
          ...FILLINGS.map((filling) => number(rate(size.rateAt(filling * keys)))),
        ),
      ),
    );
  }

  const refresh = () => unlessOvertaken(update());
  root.addEventListener("input", refresh);
  return { root, show: refresh };
}
