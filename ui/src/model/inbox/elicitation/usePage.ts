import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { InputItem } from '../../../contract/generated';
import { useModel } from '../../workspace/context';
import { paramsOf } from '../request/params';
import { urlRequestOf } from './urlRequest';

/** Where the user is with the page of an elicitation in URL mode. */
export type PageState = 'toOpen' | 'opened' | 'cannotOpen';

/** The state of the page of a request; null if it has none. */
export function usePage({ id, kind, paramsJson }: InputItem): PageState | null {
  const { inputs } = useModel();
  const isOpened = useStore(inputs, ({ visited }) => visited.has(id));
  return useMemo(() => {
    const params = kind === 'elicitation' ? paramsOf(paramsJson) : {};
    if (params['mode'] !== 'url') return null;
    if (!urlRequestOf(params).canOpen) return 'cannotOpen';
    return isOpened ? 'opened' : 'toOpen';
  }, [kind, paramsJson, isOpened]);
}
