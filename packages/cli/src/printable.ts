/** Text for a terminal: C0 and C1 control characters, which could move the cursor or set a title, become U+FFFD. */
// oxlint-disable-next-line no-control-regex
export const printable = (text: string): string => text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '\u{fffd}');

/** The same for a text that must stay on its line: a file's name may hold a line feed and forge a line of ours. */
export const printableLine = (text: string): string => printable(text).replaceAll(/[\t\n]/g, '\u{fffd}');

/** JSON for a terminal or a program: one object, with a line feed at its end. Control characters are escaped. */
export const printableJson = (value: unknown): string =>
  // JSON itself escapes C0 only.
  `${JSON.stringify(value, undefined, 2).replaceAll(/[\u007f-\u009f]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`;
