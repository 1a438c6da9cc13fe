import type { Seq, ServerItem } from '../../../contract/generated';
import { fileWatchInSentences, fileWatchLook } from '../../servers/fileWatch/fileWatchWords';
import type { ServerProblems } from './problems';
import type { Weight } from './weight';

/** One line of the list of problems. */
export interface ProblemLine {
  weight: Weight;
  message: string;
  /** The rule that a message violates; null for a failure of the server itself. */
  rule: string | null;
  /** The record that shows it; null: the page of the server does. */
  seq: Seq | null;
  count: number;
}

/** What failed at a server apart from its messages: its connection, the watching of its files. */
function failuresOf({ connection, fileWatch }: ServerItem): ProblemLine[] {
  const lines: ProblemLine[] = [];
  const line = (weight: Weight, message: string): ProblemLine => ({
    weight,
    message,
    rule: null,
    seq: null,
    count: 1,
  });
  if (connection.state === 'failed') {
    lines.push(line('error', `Connection failed: ${connection.failure?.cause ?? 'the cause is not known.'}`));
  }
  if (fileWatch !== undefined) {
    const { status } = fileWatchLook(fileWatch.state);
    if (status === 'failed') lines.push(line('error', fileWatchInSentences(fileWatch)));
    if (status === 'warning') lines.push(line('warning', fileWatchInSentences(fileWatch)));
  }
  return lines;
}

/** Everything that is wrong with a server, the heaviest first. */
export function linesOf(server: ServerItem, known: ServerProblems | undefined): ProblemLine[] {
  const current = known?.connectionId === server.connection.connectionId ? known.problems : [];
  return [...failuresOf(server), ...current];
}

/** How many lines have each weight. */
export function countsOf(lines: readonly Pick<ProblemLine, 'weight'>[]): Record<Weight, number> {
  const counts = { error: 0, warning: 0, info: 0 };
  for (const { weight } of lines) counts[weight]++;
  return counts;
}
