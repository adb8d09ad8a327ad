/** One record of RFC 4180 as Go's encoding/csv reads it, which docker uses for `--mount`. Throws where Go refuses. */
export const parseCsvRecord = (record: string): string[] => {
  const fields: string[] = [];
  let at = 0;
  for (;;) {
    let field = '';
    if (record[at] === '"') {
      for (at += 1; ; at += 1) {
        if (at >= record.length) throw new Error('quoted field without end');
        if (record[at] !== '"') field += record[at];
        else if (record[at + 1] === '"') {
          field += '"';
          at += 1;
        } else break;
      }
      at += 1;
    } else {
      while (at < record.length && record[at] !== ',') {
        if (record[at] === '"' || record[at] === '\n' || record[at] === '\r') throw new Error('bare quote or line end');
        field += record[at];
        at += 1;
      }
    }
    fields.push(field);
    if (at >= record.length) return fields;
    if (record[at] !== ',') throw new Error('text after a quoted field');
    at += 1;
  }
};
