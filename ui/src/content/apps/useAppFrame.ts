import { useEffect, useState } from 'react';
import type { AppFrameOpenResponse, ServerId } from '../../contract/generated';
import { commandError } from '../../model/store/errors';
import { exchange, failureOf } from '../../model/tools/apps/appRequests';
import { useModel } from '../../model/workspace/context';

export type FrameState =
  | { state: 'loading' }
  | { state: 'open'; frame: AppFrameOpenResponse }
  | { state: 'failed'; message: string };

/** Reads the resource of an app and makes its document; again for each `attempt`. */
export function useAppFrame(serverId: ServerId, uri: string, attempt: number): FrameState {
  const { host, appLog } = useModel();
  const [loaded, setLoaded] = useState<{ attempt: number; result: FrameState } | null>(null);
  useEffect(() => {
    const abort = new AbortController();
    let opened: AppFrameOpenResponse | undefined;
    const note = (text: string, tone: 'error' | null): void =>
      appLog.add({ serverId, uri, kind: 'host', subject: '', text, tone });
    const open = async (): Promise<FrameState> => {
      const seq = await readApp();
      const frame = await host.call('app_frame_open', { serverId, uri, seq });
      if (abort.signal.aborted) void host.call('app_frame_close', { frameId: frame.frameId });
      else opened = frame;
      note(`Opened with the policy: ${frame.policy}`, null);
      return { state: 'open', frame };
    };
    const readApp = async () => {
      const { outcome, responseSeq } = await exchange(
        host,
        'resource_read',
        { serverId, uri, timeouts: null },
        abort.signal,
      );
      if (outcome.type !== 'result' || responseSeq === null) throw failureOf(outcome);
      return responseSeq;
    };
    open()
      .catch((thrown: unknown): FrameState => {
        const message = commandError(thrown).message;
        note(`Not opened: ${message}`, 'error');
        return { state: 'failed', message };
      })
      .then((result) => {
        if (!abort.signal.aborted) setLoaded({ attempt, result });
      })
      .catch(() => {});
    return () => {
      abort.abort();
      if (opened !== undefined) void host.call('app_frame_close', { frameId: opened.frameId });
    };
  }, [host, appLog, serverId, uri, attempt]);
  return loaded?.attempt === attempt ? loaded.result : { state: 'loading' };
}
