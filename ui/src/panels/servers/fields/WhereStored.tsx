import { Input } from '@mantine/core';
import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import { useModel } from '../../../model/workspace/context';
import { keptWords } from '../../../model/vault/vault';

/** Where secrets are stored, said before one is typed. The children begin the sentence. */
export function WhereStored({ children }: { children: ReactNode }) {
  const state = useStore(useModel().vault, ({ known }) => known?.state);
  return (
    <Input.Description size="xs" mt={2} mb={6} className="pb-selectable">
      {children} stored {keptWords(state)}.
    </Input.Description>
  );
}
