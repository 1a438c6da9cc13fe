import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { ChatId, ExchangeId, InputItem, InputKind, Seq } from '../../../contract/generated';
import { input, withdrawn } from '../../../model/inbox/inputs.fixture';
import { openInbox } from '../inbox.fixture';

const turn = { chatId: 'c1' as ChatId, title: 'Weather', number: 2 };
const certain = { aboutSeq: '12' as Seq, aboutExchange: '4' as ExchangeId };
const underWay = (more: object = {}) => ({ seq: '12' as Seq, exchange: '4' as ExchangeId, ...more });

describe('a request within a turn of a conversation', () => {
  it.each<[string, Partial<InputItem>]>([
    ['where the transport says so', { ...certain, turn }],
    ['where it is the only call under way', { during: [underWay({ turn })] }],
  ])('names the turn and the call, %s, and leads to both', async (_where, part) => {
    const item = input('1', { kind: 'sampling', method: 'sampling/createMessage', ...part });
    const { model, onClose } = await openInbox({ items: [item], withdrawn: [] }, true);
    const words =
      'everything requests a completion (sampling), during tools/call ask_name in chat turn 2 of Weather';
    expect(await screen.findByRole('button', { name: words })).toBeDefined();
    const dialog = screen.getByRole('dialog');
    const cause = within(dialog).getByText('Caused by').nextElementSibling;
    expect(cause?.textContent).toMatch(/^Chat turn 2 of Weather +tools\/call ask_name #12/);
    fireEvent.click(screen.getByRole('button', { name: 'Chat turn 2 of Weather' }));
    expect(model.ui.getState()).toMatchObject({
      selectedChat: 'c1',
      selectedServer: 's',
      modes: { s: 'chat' },
    });
    // It is beside the conversation, which it does not hide.
    expect(onClose).not.toHaveBeenCalled();
    expect(model.workspace.getState().revealRequest).toBeNull();
    fireEvent.click(within(dialog).getByRole('button', { name: '#12' }));
    expect(model.workspace.getState().revealRequest).toEqual({ seq: '12' });
  });
});

describe('a request whose call is over', () => {
  it.each<[InputKind, string, object]>([
    ['elicitation', 'Answer with cancel', { type: 'result', json: '{"action":"cancel"}' }],
    ['sampling', 'Answer with an error', { type: 'error', code: -1 }],
    ['roots', 'Answer with an error', { type: 'error', code: -32603 }],
  ])('says so and offers to end it: %s', async (kind, label, answer) => {
    const item = input('1', { kind, ...certain, callEnd: 'cancelled' });
    const { sent } = await openInbox({ items: [item], withdrawn: [] }, true);
    expect(await screen.findByRole('button', { name: /ask_name\. Its call was cancelled$/ })).toBeDefined();
    expect(
      screen.getByText(
        'Its call was cancelled, but everything has not withdrawn this request and is still waiting for an answer.',
      ),
    ).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Cancel call' })).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: label }));
    await waitFor(() => expect(sent()).toMatchObject([{ inputId: '1', answer }]));
  });

  it('says it of several calls only when all of them are', async () => {
    const item = input('1', { during: [underWay(), underWay()], callEnd: 'timedOut' });
    await openInbox({ items: [item], withdrawn: [] }, true);
    expect(screen.getByText(/^All calls have ended, but everything/)).toBeDefined();
  });
});

it('quotes the reason of a server that withdraws its request, as text', async () => {
  const serverReason = '<b>changed</b> my mind';
  const gone = withdrawn('1', { reason: 'The server withdrew it.', serverReason, atMs: Date.now() });
  await openInbox({ items: [], withdrawn: [gone] }, false);
  const card = screen.getByText(/^The server withdrew it: /);
  expect(card.textContent).toMatch(/“<b>changed<\/b> my mind”\./);
  expect(document.querySelector('b b')).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Show answered requests' }));
  const history = screen.getByRole('list', { name: 'Answered requests' });
  expect(history.textContent).toContain('Withdrawn by the server: “<b>changed</b> my mind”, after 1.50 s');
});
