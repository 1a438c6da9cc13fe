import { useEffect, useState } from 'react';
import type { BundleReview, CommandError } from '../../../../contract/generated';
import { commandError } from '../../../store/errors';
import { useModel } from '../../../workspace/context';
import { useAdding } from '../useAdding';
import { type BundleFile, openBundle } from './bundleFile';

/** How far the reading of a bundle is. */
export type BundleState =
  /** `part` of it was sent, 0 to 1. */
  | { type: 'reading'; part: number }
  | { type: 'failed'; error: CommandError }
  | { type: 'read'; review: BundleReview };

/** A bundle that was chosen: it is read, shown, and added when the user says so. */
export function useBundle(chosen: BundleFile | null, onDone: () => void) {
  const { host } = useModel();
  const [bundle, setBundle] = useState(chosen);
  const [state, setState] = useState<BundleState>({ type: 'reading', part: 0 });
  const [name, setName] = useState('');
  /** The values of its settings, as JSON text. */
  const [values, setValues] = useState('{}');
  const adding = useAdding(async (plainSecrets) => {
    if (state.type !== 'read') throw new Error('no bundle was read');
    const { bundleId } = state.review;
    const plain = plainSecrets ? { plainSecrets } : {};
    return (await host.call('bundle_add', { bundleId, name, valuesJson: values, ...plain })).serverId;
  }, onDone);

  useEffect(() => {
    if (bundle === null) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    let opened: BundleReview | null = null;
    const close = (): void => {
      if (opened !== null) void host.call('bundle_close', { bundleId: opened.bundleId }).catch(() => {});
    };
    const onProgress = (part: number): void => {
      if (!signal.aborted) setState({ type: 'reading', part });
    };
    openBundle(host, bundle, onProgress, signal)
      .then((review) => {
        opened = review;
        if (signal.aborted) {
          close();
          return;
        }
        setName(review.name);
        setValues(review.valuesJson);
        setState({ type: 'read', review });
      })
      .catch((thrown: unknown) => {
        if (!signal.aborted) setState({ type: 'failed', error: commandError(thrown) });
      });
    return () => {
      controller.abort();
      close();
    };
  }, [bundle, host]);

  return {
    /** Null: none was chosen yet. */
    bundle,
    state,
    name,
    values,
    /** Whether anything was entered. */
    isChanged: state.type === 'read' && (name !== state.review.name || values !== state.review.valuesJson),
    adding,
    choose: (file: File) => {
      setState({ type: 'reading', part: 0 });
      setBundle({ type: 'file', file });
    },
    setName,
    setValues,
  };
}
