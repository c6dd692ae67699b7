/** A colour of the style sheet, for canvases; it follows the scheme. */
export function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

/** Calls back whenever the page turns dark or light. */
export function onSchemeChange(callback: () => void): void {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", callback);
}
