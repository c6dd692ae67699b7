export const adjectives = [
  "amber", "brisk", "calm", "dusty", "eager", "faint", "glad", "hollow", "icy", "jolly", "keen", "lunar", "mellow",
  "narrow", "olive", "plain", "quiet", "rapid", "silver", "tidy", "urban", "vivid", "warm", "young",
]; // biome-ignore format: a list of words
export const nouns = [
  "anchor",
  "bank",
  "cedar",
  "delta",
  "ember",
  "falcon",
  "garden",
  "harbour",
  "island",
  "jacket",
  "kettle",
  "lantern",
  "meadow",
  "needle",
  "orchard",
  "parcel",
  "quarry",
  "river",
  "signal",
  "ticket",
  "valley",
  "wallet",
  "yard",
  "zephyr",
];
export const folders = ["account", "billing", "cdn", "docs", "files", "login", "news", "shop", "static", "verify"];
/** Names that the standards keep free: nobody's site is on the demo list. */
export const endings = ["example", "test", "invalid"];
