import { find, make } from "./dom.js";
import type { Panel } from "./panel.js";

const panels = {
  check: () => import("./check/panel.js"),
  choose: () => import("./choose/panel.js"),
  see: () => import("./see/panel.js"),
  race: () => import("./race/panel.js"),
};
type Name = keyof typeof panels;

const main = find(document, "#panel");
const opened = new Map<Name, Promise<Panel>>();

async function open(name: Name): Promise<Panel> {
  const { default: start } = await panels[name]();
  const root = make("section", { "aria-labelledby": `${name}-title`, hidden: true });
  main.append(root);
  return start(root);
}

/** The panel that the address names; a panel is fetched and started when it is first asked for. */
async function show(moveFocus: boolean) {
  const asked = location.hash.slice(1);
  if (asked === "panel") return;
  const name: Name = Object.hasOwn(panels, asked) ? (asked as Name) : "check";
  for (const link of document.querySelectorAll("nav a")) {
    if (link.getAttribute("href") === `#${name}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (!opened.has(name)) opened.set(name, open(name));
  const panel = await opened.get(name)!;
  for (const other of await Promise.all(opened.values())) {
    if (other === panel || other.root.hidden) continue;
    other.root.hidden = true;
    other.hide?.();
  }
  panel.root.hidden = false;
  await panel.show?.();
  document.title = `${find(panel.root, "h2").textContent} · bloomline`;
  if (moveFocus) find(panel.root, "h2").focus({ preventScroll: true });
}

/** In a task of its own, as it starts the kernel. */
async function showAbilities() {
  const { abilities } = await import("./browser.js");
  find(document, "#browser").append(
    ...abilities.map(({ name, on, why }) =>
      make("li", {}, make("strong", { class: on ? "on" : "off" }, `${name}: ${on ? "on" : "off"}`), " ", why),
    ),
  );
}

addEventListener("hashchange", () => show(true));
show(false);
showAbilities();
