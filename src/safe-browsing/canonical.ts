const DOT = 0x2e;
const SLASH = 0x2f;
const QUESTION_MARK = 0x3f;
const HASH = 0x23;
const PERCENT = 0x25;

const isDigit = (code: number) => code >= 0x30 && code <= 0x39;
/** Lower-case letter, hyphen or underscore. */
const isLetter = (code: number) => (code >= 0x61 && code <= 0x7a) || code === 0x2d || code === 0x5f;

/** Where the host that starts here ends, at its slash; 0 unless it is a lower-case name that cannot be an address. */
function endOfPlainHost(url: string, start: number): number {
  let label = start;
  for (let i = start; i < url.length; ++i) {
    const code = url.charCodeAt(i);
    if (isLetter(code) || isDigit(code)) continue;
    if (i === label) return 0;
    if (code === DOT) label = i + 1;
    else return code === SLASH && isLetter(url.charCodeAt(label)) ? i : 0;
  }
  return 0;
}

/**
 * True if one look along the URL shows that it is canonical already, as most are that a browser asks for. False says
 * nothing: a segment that starts with a dot, an address or an escape needs the full rules.
 */
export function isPlainlyCanonical(url: string): boolean {
  const start = url.startsWith("https://") ? 8 : url.startsWith("http://") ? 7 : 0;
  if (start === 0) return false;
  const slash = endOfPlainHost(url, start);
  if (slash === 0) return false;
  let inPath = true;
  for (let i = slash; i < url.length; ++i) {
    const code = url.charCodeAt(i);
    if (code <= 0x20 || code >= 0x7f || code === HASH || code === PERCENT) return false;
    if (code === QUESTION_MARK) inPath = false;
    if (code === SLASH && inPath) {
      const next = url.charCodeAt(i + 1);
      if (next === SLASH || next === DOT) return false;
    }
  }
  return true;
}
