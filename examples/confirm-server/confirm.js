// What a page or an extension gives to UrlChecker as `confirm`.
const HASH = 32;

/** @returns {import("bloomline/safe-browsing").Confirm} */
export function confirmWith(url) {
  return async (hashPrefixes, { signal }) => {
    const response = await fetch(url, { method: "POST", body: new Blob(hashPrefixes), signal, cache: "no-store" });
    if (!response.ok) throw new Error(`${url} answered with status ${response.status}`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    const fullHashes = [];
    for (let at = 0; at < bytes.length; at += HASH) fullHashes.push(bytes.subarray(at, at + HASH));
    return {
      fullHashes,
      positiveSeconds: Number(/max-age=(\d+)/.exec(response.headers.get("cache-control") ?? "")?.[1] ?? 0),
      negativeSeconds: Number(response.headers.get("bloomline-negative-seconds") ?? 0),
    };
  };
}
