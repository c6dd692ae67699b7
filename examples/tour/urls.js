const url = Buffer.from("https://shop.example/articles/000000000");
const DIGITS = 9;

/** A URL read from bytes is a flat string, as one that came over the network is; one built with + would be a rope. */
function urlOf(n) {
  for (let i = 1; i <= DIGITS; i++) {
    url[url.length - i] = 48 + (n % 10);
    n = Math.floor(n / 10);
  }
  return url.toString("latin1");
}

/** `count` different URLs, made anew at every call, so that nobody profits from a string seen before. */
export function urls(from, count) {
  return Array.from({ length: count }, (_, i) => urlOf(from + i));
}
