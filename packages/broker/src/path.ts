/** More decoding rounds than any server does. */
const ROUNDS = 4;

const control = (code: number): boolean => code < 0x20 || code === 0x7f;

const hasControl = (text: string): boolean => {
  for (let index = 0; index < text.length; index += 1) if (control(text.charCodeAt(index))) return true;
  return false;
};

/** Whether a segment, as some server may read it, is or contains a way out of its place. */
const escapes = (segment: string): boolean => {
  if (segment.includes('\\') || hasControl(segment)) return true;
  if (!segment.includes('/') && !segment.startsWith('.')) return false;
  // Servers with path parameters drop `;…` before they look at dots.
  const pieces = segment.split('/').map((piece) => piece.split(';', 1)[0]);
  return pieces.some((piece) => piece === '.' || piece === '..' || (piece === '' && pieces.length > 1));
};

const confinedSegment = (raw: string): boolean => {
  let segment = raw;
  for (let round = 0; ; round += 1) {
    if (escapes(segment)) return false;
    if (!segment.includes('%')) return true;
    let decoded: string;
    try {
      decoded = decodeURIComponent(segment);
    } catch {
      // The first round is what every server does: it must work. A later one that fails means that nothing is left to decode.
      return round > 0;
    }
    if (round === ROUNDS) return false;
    segment = decoded;
  }
};

const PRINTABLE = /^[\x21-\x7e]+$/;

/**
 * Whether a raw path stays below the directory it is appended to, for every way in which a server may read it: dot
 * segments in any encoding, alone, joined by encoded slashes or followed by parameters, backslashes, empty segments
 * and control characters are out. A last slash is not an empty segment.
 */
export const isConfined = (path: string): boolean => {
  if (!path.startsWith('/') || !PRINTABLE.test(path) || path.includes('#')) return false;
  const segments = path.slice(1).split('/');
  return segments.every((segment, index) => (segment === '' ? index === segments.length - 1 : confinedSegment(segment)));
};
