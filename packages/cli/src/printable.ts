/** Text for a terminal: C0 and C1 control characters, which could move the cursor or set a title, become U+FFFD. */
// oxlint-disable-next-line no-control-regex
export const printable = (text: string): string => text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '\u{fffd}');
