// Throughput over threads as an SVG: one line a task, beside the dashed line of perfect scaling.

const WIDTH = 640;
const HEIGHT = 400;
const LEFT = 50;
const RIGHT = 620;
const TOP = 60;
const BOTTOM = 280;
const COLOURS = ["#1b6ca8", "#c8553d", "#3c8d5a", "#8a5a9e"];

const text = (x, y, content, more = "") => `<text x="${x}" y="${y}" ${more}>${content}</text>`;

/** `lines`: for each name, throughput on 1, 2, … threads relative to one thread on a local filter. */
export function plot(lines, title) {
  const threads = Math.max(...Object.values(lines).map((values) => values.length));
  const most = Math.max(threads, ...Object.values(lines).flat());
  const x = (n) => LEFT + ((RIGHT - LEFT) * (n - 1)) / Math.max(1, threads - 1);
  const y = (value) => BOTTOM - ((BOTTOM - TOP) * value) / most;
  const path = (values) => values.map((value, i) => `${x(i + 1).toFixed(1)},${y(value).toFixed(1)}`).join(" ");

  const parts = [text(LEFT, 25, title, 'font-weight="bold"'), text(LEFT, 45, "times one thread on a local filter")];
  for (let value = 0; value <= most; value++) {
    parts.push(`<path d="M${LEFT} ${y(value)}H${RIGHT}" stroke="#ddd"/>`, text(LEFT - 20, y(value) + 4, value));
  }
  for (let n = 1; n <= threads; n++) parts.push(text(x(n) - 4, BOTTOM + 18, n));
  parts.push(text((LEFT + RIGHT) / 2, BOTTOM + 34, "threads", 'text-anchor="middle"'));
  const perfect = Array.from({ length: threads }, (_, i) => i + 1);
  parts.push(`<polyline points="${path(perfect)}" fill="none" stroke="#999" stroke-dasharray="5 5"/>`);
  Object.entries(lines).forEach(([name, values], i) => {
    const colour = COLOURS[i % COLOURS.length];
    parts.push(`<polyline points="${path(values)}" fill="none" stroke="${colour}" stroke-width="2"/>`);
    parts.push(text(LEFT, BOTTOM + 58 + i * 18, `— ${name}`, `fill="${colour}"`));
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="13">
<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>
${parts.join("\n")}
</svg>
`;
}
