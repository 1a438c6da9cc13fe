import { useEffect, useState } from 'react';
import type { CommandError, Seq, TrafficRecordResponse } from '../../contract/generated';
import { useHost } from '../workspace/context';
import { commandError } from '../store/errors';

export interface LoadedRecord {
  /** Undefined until loaded. While another one loads, the previous one. */
  record: TrafficRecordResponse | undefined;
  error: CommandError | null;
}

const NOTHING: LoadedRecord = { record: undefined, error: null };

/**
 * Loads a record, again when `revision` changes (a response, a new violation), or when there is another `follower`: the newest
 * record that refers to it.
 */
export function useRecord(seq: Seq | null, revision: string, follower: Seq | null = null): LoadedRecord {
  const host = useHost();
  const [loaded, setLoaded] = useState<LoadedRecord>(NOTHING);

  useEffect(() => {
    if (seq === null) {
      setLoaded(NOTHING);
      return;
    }
    let current = true;
    // A record is returned once it is written; what refers to it is found only then.
    const written = follower === null ? Promise.resolve() : host.call('traffic_record', { seq: follower });
    written
      .then(() => host.call('traffic_record', { seq }))
      .then((record) => {
        if (current) setLoaded({ record, error: null });
      })
      .catch((thrown: unknown) => {
        if (current) setLoaded({ record: undefined, error: commandError(thrown) });
      });
    return () => {
      current = false;
    };
  }, [host, seq, revision, follower]);

  return loaded;
}
