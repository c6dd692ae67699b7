const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const three = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });

export const count = (n: number) => whole.format(n);

/** Three digits, whatever their place. */
export const digits = (n: number) => three.format(n);

const scaled = (n: number, base: string, units: readonly string[]) => {
  const step = Math.min(Math.max(0, Math.floor(Math.log10(Math.max(n, 1)) / 3)), units.length);
  return `${digits(n / 1000 ** step)} ${units[step - 1] ?? ""}${base}`.trimEnd();
};

export const bytes = (n: number) => scaled(n, "B", ["k", "M", "G", "T"]);

/** 1.2 M, 340 k. */
export const short = (n: number) => scaled(n, "", ["k", "M", "G"]);

/** A share of one: per cent while that reads well, then one in so many. */
export function rate(share: number): string {
  if (share === 0) return "0 %";
  if (share >= 0.00095) return `${digits(100 * share)} %`;
  const many = 1 / share;
  if (many < 1e6) return `1 in ${digits(many)}`;
  return many < 1e9 ? `1 in ${digits(many / 1e6)} million` : `1 in ${digits(many / 1e9)} billion`;
}

export function duration(microseconds: number): string {
  return microseconds < 1 ? `${digits(microseconds * 1000)} ns` : `${digits(microseconds)} µs`;
}
