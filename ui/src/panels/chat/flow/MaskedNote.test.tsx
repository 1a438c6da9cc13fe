import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { createStore } from 'zustand';
import type { ChatMasked } from '../../../contract/generated';
import { type ConversationStore, NOTHING } from '../../../model/chat/conversation';
import { MaskedNote } from './MaskedNote';

const MASKED: ChatMasked = {
  names: ['API_TOKEN of GitHub', 'the key of Local'],
  canBeSent: true,
  isSent: false,
};

function open(masked: ChatMasked | null) {
  const run = vi.fn(() => Promise.resolve(true));
  const conversation = Object.assign(
    createStore(() => ({ ...NOTHING, summary: { readOnly: null } })),
    { run },
  ) as unknown as ConversationStore;
  render(
    <MantineProvider env="test">
      <MaskedNote id="7" masked={masked} conversation={conversation} />
    </MantineProvider>,
  );
  return run;
}

it('says nothing where nothing is masked', () => {
  open(null);
  expect(screen.queryByRole('note')).toBeNull();
});

it('names what is masked, and asks before a model gets it', async () => {
  const run = open(MASKED);
  expect(screen.getByRole('note').textContent).toContain(
    '2 secrets masked: API_TOKEN of GitHub, the key of Local',
  );
  fireEvent.click(screen.getByRole('button', { name: 'Send unmasked…' }));
  expect(run).not.toHaveBeenCalled();
  const agree = await screen.findByRole('button', { name: 'Send unmasked' });
  expect(screen.getByRole('dialog').textContent).toContain('the traffic log and other items stay masked');
  fireEvent.click(agree);
  expect(run).toHaveBeenCalledWith('chat_send_as_is', { item: '7', asIs: true });
});

it('gives the focus back when it stays masked', async () => {
  open(MASKED);
  const ask = screen.getByRole('button', { name: 'Send unmasked…' });
  ask.focus();
  fireEvent.click(ask);
  const keep = await screen.findByRole('button', { name: 'Keep masked' });
  keep.focus();
  fireEvent.click(keep);
  await waitFor(() => expect(document.activeElement).toBe(ask));
});

it('says that the model gets it, and masks it again', () => {
  const run = open({ ...MASKED, isSent: true });
  expect(screen.getByRole('note').textContent).toContain('2 secrets sent unmasked:');
  fireEvent.click(screen.getByRole('button', { name: 'Mask again' }));
  expect(run).toHaveBeenCalledWith('chat_send_as_is', { item: '7', asIs: false });
});

it('offers nothing where it is no longer known what was masked', () => {
  open({ ...MASKED, canBeSent: false });
  expect(screen.getByRole('note').textContent).toContain('stays masked');
  expect(screen.queryByRole('button')).toBeNull();
});
