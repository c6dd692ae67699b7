// The door: a string's UTF-8 bytes into the staging area. It costs more than hashing and probing them, and which way is
// fastest depends on the runtime, so the way is chosen once, here. Measured, ns a lookup by 8 / 16 / 32 / 48 characters:
//
//                        Node 20             Node 22             Node 24             Node 26
//   loop, four by four   27 / 33 / 45 / 64   27 / 32 / 48 / 68   27 / 33 / 42 / 54   28 / 32 / 43 / 55
//   encodeInto           45 / 46 / 47 / 54
//   Buffer.utf8Write                         28 / 22 / 33 / 37   35 / 31 / 41 / 44   32 / 27 / 39 / 49
//
// On Node 24 utf8Write takes 20 ns more for some strings than for others that look the same; the loop never does.
// A loop that stores one character at a time takes 60 ns for 30 characters on Node 20, and the one here 47. In Chromium
// encodeInto takes about 190 ns to begin with.

import type { Instance } from "../engine/instance.js";
import { KEYS_SIZE } from "../engine/layout.js";

const encoder = new TextEncoder();

interface NodeBuffer extends Uint8Array {
  utf8Write(text: string, offset: number, length: number): number;
}
const { process } = globalThis as { process?: { versions?: { node?: string } } };
const nodeMajor = Number.parseInt(process?.versions?.node ?? "0", 10);

/** Strings up to this length go through the loop. */
const LOOP = nodeMajor === 0 ? 100 : nodeMajor < 22 ? 36 : nodeMajor < 24 ? 12 : nodeMajor < 26 ? 32 : 15;

/**
 * Writes text[from..] as UTF-8 at bytes[at..], which must have room, and returns where it ended. A lone surrogate
 * becomes U+FFFD, as TextEncoder has it.
 */
export function loopUtf8(text: string, bytes: Uint8Array, at: number, from = 0): number {
  for (let i = from; i < text.length; i++) {
    let code = text.codePointAt(i)!;
    if (code < 0x80) {
      bytes[at++] = code;
      continue;
    }
    if (code < 0x800) {
      bytes[at++] = 0xc0 | (code >> 6);
    } else {
      if (code > 0xffff) {
        i++;
        bytes[at++] = 0xf0 | (code >> 18);
        bytes[at++] = 0x80 | ((code >> 12) & 0x3f);
      } else {
        if ((code & 0xf800) === 0xd800) code = 0xfffd;
        bytes[at++] = 0xe0 | (code >> 12);
      }
      bytes[at++] = 0x80 | ((code >> 6) & 0x3f);
    }
    bytes[at++] = 0x80 | (code & 0x3f);
  }
  return at;
}

/** Stages a text of any length at the start of the staging area; returns its length in bytes, or -1 if it does not fit. */
export function stageText(text: string, { keys }: Instance): number {
  const { read, written } = encoder.encodeInto(text, keys);
  return read === text.length ? written : -1;
}

/** The same, the fastest way for a single key. */
export function stageString(text: string, instance: Instance): number {
  const { length } = text;
  if (length > LOOP) {
    return nodeMajor >= 22 && length * 3 <= KEYS_SIZE
      ? (instance.keys as NodeBuffer).utf8Write(text, 0, KEYS_SIZE)
      : stageText(text, instance);
  }
  const { keys, words } = instance;
  let i = 0;
  for (; i + 4 <= length; i += 4) {
    const a = text.charCodeAt(i);
    const b = text.charCodeAt(i + 1);
    const c = text.charCodeAt(i + 2);
    const d = text.charCodeAt(i + 3);
    if ((a | b | c | d) >= 0x80) break;
    words[i >> 2] = a | (b << 8) | (c << 16) | (d << 24);
  }
  return loopUtf8(text, keys, i, i);
}

/** The same of bytes. A short key is copied by hand: `set` alone costs as much as a lookup. */
export function stageBytes(bytes: Uint8Array, { keys }: Instance): number {
  const { length } = bytes;
  if (length > 32) {
    if (length > KEYS_SIZE) return -1;
    keys.set(bytes);
  } else {
    for (let i = 0; i < length; i++) keys[i] = bytes[i] as number;
  }
  return length;
}

export function encodeString(text: string): Uint8Array {
  return encoder.encode(text);
}
