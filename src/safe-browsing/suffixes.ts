import { getDomain } from "tldts";
import type { Suffixes } from "./expressions.js";

// The protocol says "the Public Suffix List" and means all of it. With its private part, "alice.github.io" is a site of
// its own and "github.io" is not looked up for it, just as browsers keep the two apart.
const options = { allowPrivateDomains: true, detectIp: false, extractHostname: false };

/** The Public Suffix List as npm `tldts` carries it, for version 5 of the protocol. */
const suffixes: Suffixes = (host) => getDomain(host, options);

export default suffixes;
