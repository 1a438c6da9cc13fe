import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { TrafficUsageResponse } from '../../../contract/generated';
import { ScriptedHost } from '../../../host/scripted';
import { ModelProvider, createModel } from '../../../model/workspace/context';
import { LogLimitsDialog } from './LogLimitsDialog';

const USAGE: TrafficUsageResponse = {
  bytes: 1,
  records: 1,
  oldestAtMs: null,
  removed: 0,
  removedUptoMs: null,
  maxBytes: null,
  maxAgeMs: null,
};

it('gives the focus to the first limit, however late the limits come', async () => {
  let answer: (usage: TrafficUsageResponse) => void = () => {};
  const usage = new Promise<TrafficUsageResponse>((resolve) => (answer = resolve));
  const host = new ScriptedHost({ traffic_usage: () => usage });
  render(
    <MantineProvider env="test">
      <ModelProvider model={createModel(host)}>
        <LogLimitsDialog opened onClose={vi.fn()} />
      </ModelProvider>
    </MantineProvider>,
  );
  const dialog = await screen.findByRole('dialog');
  await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true));
  answer(USAGE);
  const size = await screen.findByRole('textbox', { name: 'Maximum size (MiB)' });
  await waitFor(() => expect(document.activeElement).toBe(size));
});

it('does not lose what was entered to Escape', async () => {
  const onClose = vi.fn();
  render(
    <MantineProvider env="test">
      <ModelProvider model={createModel(new ScriptedHost({ traffic_usage: () => USAGE }))}>
        <LogLimitsDialog opened onClose={onClose} />
      </ModelProvider>
    </MantineProvider>,
  );
  const size = await screen.findByRole('textbox', { name: 'Maximum size (MiB)' });
  fireEvent.change(size, { target: { value: '5' } });
  fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' });
  expect(onClose).not.toHaveBeenCalled();
  fireEvent.click(screen.getByRole('button', { name: 'Discard changes' }));
  expect(onClose).toHaveBeenCalledOnce();
});
