/** A command line as typed that is not the command and its arguments yet, or cannot be. */
export interface UnreadLine {
  text: string;
  /** Why it cannot be read; null while it is being read. */
  problem: string | null;
}

/** Why it keeps a form from being saved; undefined if there is none. */
export function lineProblem(line: UnreadLine | undefined): string | undefined {
  return line && (line.problem ?? 'The command line is still being read.');
}
