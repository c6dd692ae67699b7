// The door: a string's UTF-8 bytes into the staging area. It costs more than hashing and probing them, and which way is
// fastest depends on the runtime, so the way is chosen once, here. Measured, ns per string of 8 / 30 / 100 characters:
//
//                        Node 20          Node 22          Node 24, 26      Chromium
//   loop of charCodeAt   15 / 53 / 164    17 / 59 / 203    14 / 45 / 141    18 / 61 / 198
//   encodeInto           41 / 49 / 51     46 / 41 / 39     37 / 45 / 37     192 / 195 / 251
//   Buffer.utf8Write     83 / 62 / 62     16 / 13 / 18     30 / 26 / 33

import type { Instance } from "../engine/instance.js";
import { KEYS_SIZE } from "../engine/layout.js";

const encoder = new TextEncoder();

interface NodeBuffer extends Uint8Array {
  utf8Write(text: string, offset: number, length: number): number;
}
const { process } = globalThis as { process?: { versions?: { node?: string } } };
const nodeMajor = Number.parseInt(process?.versions?.node ?? "0", 10);

/** Strings up to this length go through the loop. */
const LOOP = nodeMajor === 0 ? 100 : nodeMajor < 22 ? 24 : nodeMajor < 24 ? 8 : 15;

/**
 * Writes text[from..] as UTF-8 at bytes[at..], which must have room, and returns where it ended. A lone surrogate
 * becomes U+FFFD, as TextEncoder has it.
 */
export function loopUtf8(text: string, bytes: Uint8Array, at: number): number {
  for (let i = 0; i < text.length; i++) {
    let code = text.charCodeAt(i);
    if (code < 0x80) {
      bytes[at++] = code;
      continue;
    }
    if (code < 0x800) {
      bytes[at++] = 0xc0 | (code >> 6);
    } else {
      if ((code & 0xf800) === 0xd800) {
        const next = code < 0xdc00 ? text.charCodeAt(i + 1) : 0;
        if ((next & 0xfc00) === 0xdc00) {
          i++;
          code = 0x10000 + ((code & 0x3ff) << 10) + (next & 0x3ff);
          bytes[at++] = 0xf0 | (code >> 18);
          bytes[at++] = 0x80 | ((code >> 12) & 0x3f);
        } else {
          code = 0xfffd;
          bytes[at++] = 0xef;
        }
      } else {
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

function viaEncodeInto(text: string, instance: Instance): number {
  return text.length <= LOOP ? loopUtf8(text, instance.keys, 0) : stageText(text, instance);
}

function viaUtf8Write(text: string, instance: Instance): number {
  if (text.length <= LOOP) return loopUtf8(text, instance.keys, 0);
  if (text.length * 3 > KEYS_SIZE) return stageText(text, instance);
  return (instance.keys as NodeBuffer).utf8Write(text, 0, KEYS_SIZE);
}

/** The same, the fastest way for a single key. */
export const stageString: (text: string, instance: Instance) => number = nodeMajor >= 22 ? viaUtf8Write : viaEncodeInto;

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
