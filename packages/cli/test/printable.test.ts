import { expect, it } from 'vitest';
import { printable, printableJson, printableLine } from '../src/printable.ts';

/** A title, a cursor movement, C1's CSI, DEL. */
const HOSTILE = '\u001B]0;title\u0007\u001B[2J\u009B1m\u007F';

it('S09: control characters do not reach a terminal', () => {
  // oxlint-disable-next-line no-control-regex
  const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;
  expect(printable(HOSTILE)).not.toMatch(control);
  expect(printableLine(`${HOSTILE}\n\t`)).not.toMatch(/[\n\t]/);
  expect(printableJson({ [HOSTILE]: HOSTILE })).not.toMatch(control);
});

it('JSON keeps what it prints', () => {
  expect(JSON.parse(printableJson({ text: HOSTILE, list: [1, null] }))).toEqual({ text: HOSTILE, list: [1, null] });
});
