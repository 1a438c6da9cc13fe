import { useCallback, useEffect, useRef, useState } from 'react';
import type { CommandError, Seq, TrafficExportParams } from '../../../contract/generated';
import { commandError } from '../../store/errors';
import type { Host } from '../../../host/host';
import { useHost } from '../../workspace/context';
import { MOST_EXCHANGES, exchangesOf, writeHar } from './har';
import { readRows } from '../view/sortedRows';
import { NOT_THERE } from './useLogExport';

/** How far an export of HTTP exchanges is. */
export type HarState =
  | { type: 'idle' }
  /** From 0 to 1. */
  | { type: 'running'; part: number }
  /** `of`: how many there are; more than `exchanges` if only the newest are in the file. `isCut`: only the newest records were looked at. */
  | { type: 'finished'; exchanges: number; of: number; isCut: boolean }
  | { type: 'failed'; error: CommandError };

/** Writes HTTP exchanges into a file, which `save` gets. An export that is cancelled saves none. */
export function useHarExport(save: (text: string) => void) {
  const host = useHost();
  const [state, setState] = useState<HarState>({ type: 'idle' });
  const running = useRef<AbortController>(undefined);

  const reset = useCallback((): void => {
    running.current?.abort();
    setState({ type: 'idle' });
  }, []);
  useEffect(() => () => running.current?.abort(), []);

  /** Starts, in place of one that runs; `find` looks up which records are wanted. */
  async function start(find: () => Promise<TrafficExportParams>): Promise<void> {
    running.current?.abort();
    const stop = new AbortController();
    running.current = stop;
    setState({ type: 'running', part: 0 });
    try {
      const { version } = await host.call('app_info', {});
      const { rows, total } = await wantedRows(host, await find(), stop.signal);
      const all = exchangesOf(rows);
      const seqs = all.slice(-MOST_EXCHANGES);
      const onPart = (part: number): void => {
        if (!stop.signal.aborted) setState({ type: 'running', part });
      };
      const text = seqs.length === 0 ? '' : await writeHar(host, seqs, version, onPart, stop.signal);
      if (stop.signal.aborted) return;
      if (text !== '') save(text);
      setState({ type: 'finished', exchanges: seqs.length, of: all.length, isCut: rows.length < total });
    } catch (thrown) {
      if (!stop.signal.aborted) setState({ type: 'failed', error: commandError(thrown) });
    }
  }
  return { state, start, reset };
}

/** The records that are wanted, or the newest of them, and how many they are. */
async function wantedRows(
  host: Host,
  { filter, from, to }: TrafficExportParams,
  signal: AbortSignal,
): ReturnType<typeof readRows> {
  // Of the whole log, only the exchanges themselves: each message is in one of them.
  if (from === null || to === null) return await readRows(host, filter === '' ? 'kind:http' : filter, signal);
  const at = async (seq: Seq): Promise<number> => {
    const { index } = await host.call('traffic_locate', { filter, seq });
    if (index === null) throw new Error(NOT_THERE);
    return index;
  };
  const [first, last] = await Promise.all([at(from), at(to)]);
  return await readRows(host, filter, signal, { first, last });
}
