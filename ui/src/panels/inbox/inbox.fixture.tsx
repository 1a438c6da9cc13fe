import { MantineProvider } from '@mantine/core';
import { render } from '@testing-library/react';
import { vi } from 'vitest';
import type { InputId } from '../../contract/generated';
import { modelOf } from '../../model/inbox/inputs.fixture';
import { ModelProvider } from '../../model/workspace/context';
import { Inbox } from './Inbox';
import { InputDialog } from './InputDialog';

/** The inbox, and the dialog of its first request if `opened`. */
export async function openInbox(
  queue: Parameters<typeof modelOf>[0],
  opened: boolean,
  answers: Parameters<typeof modelOf>[1] = {},
  more: object = {},
) {
  const { host, model, sent } = modelOf(queue, answers, more);
  await model.inputs.refresh();
  const onClose = vi.fn();
  const inbox = (inputId: InputId | null) => (
    <MantineProvider env="test">
      <ModelProvider model={model}>
        <Inbox />
        {inputId !== null && <InputDialog key={inputId} inputId={inputId} onClose={onClose} />}
      </ModelProvider>
    </MantineProvider>
  );
  const { rerender } = render(inbox(opened ? ('1' as InputId) : null));
  /** Shows the dialog of another request. */
  const open = (inputId: InputId): void => rerender(inbox(inputId));
  return { host, model, onClose, open, sent };
}
