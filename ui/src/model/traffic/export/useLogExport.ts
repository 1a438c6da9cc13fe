import { useCallback, useEffect, useRef, useState } from 'react';
import type { CommandError, Seq, TrafficExportEvent, TrafficExportParams } from '../../../contract/generated';
import type { Host } from '../../../host/host';
import { commandError } from '../../store/errors';
import type { RowRange } from '../useRowRange';
import { useHost } from '../../workspace/context';

type Finished = Extract<TrafficExportEvent, { type: 'finished' }>;

/** How far an export is. */
export type ExportState =
  | { type: 'idle' }
  /** From 0 to 1. */
  | { type: 'running'; part: number }
  | { type: 'finished'; file: Finished }
  | { type: 'failed'; error: CommandError };

const CLOSED: CommandError = {
  code: 'internal',
  message: 'The export ended before the file was complete.',
  detail: null,
};

/** Why selected records cannot be exported. */
export const NOT_THERE = 'The selected records are no longer in the traffic log';

/** Exports the log to a file, one export at a time. An export that is cancelled leaves no file. */
export function useLogExport() {
  const host = useHost();
  const [state, setState] = useState<ExportState>({ type: 'idle' });
  const running = useRef<AbortController>(undefined);

  const reset = useCallback((): void => {
    running.current?.abort();
    setState({ type: 'idle' });
  }, []);
  useEffect(() => () => running.current?.abort(), []);

  /** Starts, in place of one that runs; `find` looks up what the parameters need. */
  async function start(find: () => Promise<TrafficExportParams>): Promise<void> {
    running.current?.abort();
    const stop = new AbortController();
    running.current = stop;
    setState({ type: 'running', part: 0 });
    let params: TrafficExportParams;
    try {
      params = await find();
    } catch (thrown) {
      if (!stop.signal.aborted) setState({ type: 'failed', error: commandError(thrown) });
      return;
    }
    // The engine writes a file once the stream is open.
    if (stop.signal.aborted) return;
    const stream = host.openStream('traffic_export', params, {
      onEvent: (event) => {
        if (event.type === 'finished') setState({ type: 'finished', file: event });
        else setState({ type: 'running', part: event.total === 0 ? 1 : event.records / event.total });
      },
      onEnd: (error) =>
        setState((now) => (now.type === 'running' ? { type: 'failed', error: error ?? CLOSED } : now)),
    });
    stop.signal.addEventListener('abort', () => stream.close());
  }
  return { state, start, reset };
}

/** The first and the last record of a range of a view. Rejects if the log no longer holds them. */
export async function endsOf(host: Host, filter: string, range: RowRange): Promise<[Seq, Seq]> {
  const at = async (offset: number): Promise<Seq> => {
    const { rows } = await host.call('traffic_rows', { filter, offset, limit: 1 });
    if (rows[0] === undefined) throw new Error(NOT_THERE);
    return rows[0].seq;
  };
  return await Promise.all([at(range.first), at(range.last)]);
}
