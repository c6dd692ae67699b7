import { find } from "../dom.js";
import { bytes, count } from "../format.js";
import { DemoList } from "../list/demo-list.js";
import { ENTRIES } from "../list/urls.js";
import type { Panel } from "../panel.js";
import { unlessOvertaken } from "../slices.js";
import { onSchemeChange } from "../style/colours.js";
import { examples } from "./examples.js";
import { checkMany, sampleUrls } from "./many.js";
import { showOne } from "./one.js";
import markup from "./panel.html?raw";
import { rulesOf } from "./rules.js";

export default function start(root: HTMLElement): Panel {
  root.innerHTML = markup;
  const input = find<HTMLInputElement>(root, "#check-url");
  const rate = find<HTMLSelectElement>(root, "[data-rate]");
  const building = find<HTMLProgressElement>(root, "[data-building]");
  const many = find<HTMLFormElement>(root, "[data-many]");
  find(root, "[data-entries]").textContent = count(ENTRIES);

  let abort = new AbortController();
  let ready: Promise<DemoList>;
  /** How often something was to be shown: what is overtaken while it is checked is not. */
  let asked = 0;

  const rules = () => rulesOf(find<HTMLInputElement>(root, "[name=version]:checked").value);

  async function build() {
    abort.abort();
    abort = new AbortController();
    building.hidden = false;
    const options = { signal: abort.signal, onProgress: (share: number) => (building.value = share) };
    const list = await DemoList.build(Number(rate.value), options);
    building.hidden = true;
    find(root, "[data-size]").textContent = bytes(list.filter.byteLength);
    return list;
  }

  async function show() {
    const mine = ++asked;
    const [list, chosen] = await Promise.all([ready, rules()]);
    const url = input.value.trim();
    const shown = url === "" ? [] : await showOne(list, url, chosen);
    if (mine === asked) find(root, "[data-result]").replaceChildren(...shown);
  }

  function rebuild() {
    ready = build();
    unlessOvertaken(show()).catch(({ message }: Error) => {
      building.hidden = true;
      find(root, "[data-result]").textContent = `The list could not be made: ${message}`;
    });
  }

  async function tryOne(button: HTMLButtonElement) {
    const [list, chosen] = await Promise.all([ready, rules()]);
    button.disabled = true;
    const url = await examples[button.dataset.try!]!(list, chosen);
    button.disabled = false;
    button.focus();
    if (url === undefined) {
      find(root, "[data-result]").textContent = "None among two million strangers. Raise the error rate to see one.";
      return;
    }
    input.value = url;
    await show();
  }

  find(root, "[data-one]").addEventListener("submit", (event) => {
    event.preventDefault();
    show();
  });
  input.addEventListener("input", show);
  rate.addEventListener("change", rebuild);
  for (const radio of root.querySelectorAll("[name=version]")) radio.addEventListener("change", show);
  for (const button of root.querySelectorAll<HTMLButtonElement>("[data-try]")) {
    button.addEventListener("click", () => tryOne(button));
  }
  many.addEventListener("submit", async (event) => {
    event.preventDefault();
    const [list, chosen] = await Promise.all([ready, rules()]);
    await checkMany(many, list, chosen);
  });
  find(many, "[data-fill]").addEventListener("click", () => {
    find<HTMLTextAreaElement>(many, "textarea").value = sampleUrls();
  });
  onSchemeChange(show);

  input.value = "http://www.example.com/a/page.html?of=yours";
  rebuild();
  return { root };
}
