/** Comma-separated values (RFC 4180), read leniently: any text is a table. */

/** More rows and columns are not shown as a table. */
export const MAX_CSV_ROWS = 100_000;
export const MAX_CSV_COLUMNS = 200;

export interface CsvTable {
  rows: string[][];
  /** The length of the longest row. */
  columns: number;
  /** Rows or columns were left out. */
  isCut: boolean;
}

export function parseCsv(text: string, separator: ',' | '\t' | ';' = separatorOf(text)): CsvTable {
  const rows: string[][] = [];
  let row: string[] = [];
  let columns = 0;
  let isCut = false;
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  const endField = (field: string): void => {
    if (row.length < MAX_CSV_COLUMNS) row.push(field);
    else isCut = true;
  };
  const endRow = (): void => {
    columns = Math.max(columns, row.length);
    rows.push(row);
    row = [];
  };
  while (at < text.length) {
    if (rows.length >= MAX_CSV_ROWS) return { rows, columns, isCut: true };
    const { field, next } = readField(text, at, separator);
    endField(field);
    at = next;
    const end = text[at];
    if (end === separator) {
      at += 1;
      // A separator at the very end is followed by one more, empty, field.
      if (at === text.length) endField('');
    } else if (end !== undefined) {
      endRow();
      at += end === '\r' && text[at + 1] === '\n' ? 2 : 1;
    }
  }
  if (row.length > 0) endRow();
  return { rows, columns, isCut };
}

/** One field, and the position of the character that ends it. */
function readField(text: string, start: number, separator: string): { field: string; next: number } {
  const ends = (at: number): boolean => {
    const char = text[at];
    return char === undefined || char === separator || char === '\n' || char === '\r';
  };
  let at = start;
  if (text[at] !== '"') {
    while (!ends(at)) at += 1;
    return { field: text.slice(start, at), next: at };
  }
  at += 1;
  let quote = text.indexOf('"', at);
  while (quote >= 0 && text[quote + 1] === '"') quote = text.indexOf('"', quote + 2);
  const end = quote < 0 ? text.length : quote;
  const quoted = text.slice(at, end).replaceAll('""', '"');
  // Text after the closing quote belongs to the field.
  const rest = Math.min(end + 1, text.length);
  at = rest;
  while (!ends(at)) at += 1;
  return { field: quoted + text.slice(rest, at), next: at };
}

/** The separator the first line uses most. */
function separatorOf(text: string): ',' | '\t' | ';' {
  const line = text.slice(0, 4096).split('\n', 1)[0] ?? '';
  const count = (char: string): number => line.split(char).length;
  if (count('\t') > count(',') && count('\t') >= count(';')) return '\t';
  return count(';') > count(',') ? ';' : ',';
}
