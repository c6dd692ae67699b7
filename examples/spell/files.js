import { fileURLToPath } from "node:url";

/** Where the Debian package wamerican puts its words. */
export const listFile = "/usr/share/dict/american-english";

/** What is made of them, to be shipped. */
export const filterFile = fileURLToPath(new URL("american-english.bloom", import.meta.url));
