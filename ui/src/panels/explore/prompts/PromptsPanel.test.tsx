import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type {
  ConnectionId,
  ExchangeOutcome,
  PromptItem,
  PromptListResponse,
  Seq,
  ServerId,
  ServerItem,
} from '../../../contract/generated';
import { CommandFailure } from '../../../host/host';
import { ScriptedHost } from '../../../host/scripted';
import { aMessage, aPrompt, aPromptResult, anArgument } from '../../../model/lists/prompts/prompts.fixture';
import { ModelProvider, createModel } from '../../../model/workspace/context';
import { PromptsPanel } from './PromptsPanel';

const SERVER = 's' as ServerId;

const server = (state: 'ready' | 'closed'): ServerItem => ({
  id: SERVER,
  draft: {
    name: 'everything',
    transport: { type: 'stdio', command: 'x', args: [], env: [], cwd: null },
    era: 'auto',
    timeouts: { requestMs: 60_000, maxTotalMs: 600_000, resetOnProgress: true },
  },
  isDemo: false,
  rememberedEra: null,
  connection: {
    connectionId: 'c' as ConnectionId,
    state,
    era: 'legacy',
    revision: '2025-11-25',
    server: null,
    extensions: [],
    failure: null,
    problemCount: 0,
    pendingCount: 0,
    sinceAtMs: 0,
  },
});

const page = (items: PromptItem[], part: Partial<PromptListResponse> = {}): PromptListResponse => ({
  items,
  nextCursor: null,
  pages: 1,
  hasMore: false,
  total: items.length,
  supported: true,
  stale: null,
  freshness: null,
  violations: [],
  revision: 1,
  ...part,
});

// A list that knows its height.
beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(280);
  vi.stubGlobal(
    'ResizeObserver',
    class {
      readonly #tell: (entries: []) => void;
      constructor(tell: (entries: []) => void) {
        this.#tell = tell;
      }
      observe(): void {
        this.#tell([]);
      }
      unobserve(): void {}
      disconnect(): void {}
    },
  );
});
afterEach(() => vi.unstubAllGlobals());

/** Shows what the engine answers to `prompt_list`, and selects the first prompt. */
async function show(answer: PromptListResponse | CommandFailure, state: 'ready' | 'closed' = 'ready') {
  let now = answer;
  const host = new ScriptedHost({
    ui_state_get: () => ({ stateJson: null }),
    server_list: () => ({ items: [server(state)] }),
    prompt_list: () => now,
  });
  const model = createModel(host);
  await Promise.all([model.ui.load(), model.servers.refresh()]);
  const first = answer instanceof CommandFailure ? undefined : answer.items[0];
  if (first !== undefined) model.promptViews.change(SERVER, { selection: { name: first.name, index: 0 } });
  await model.prompts.load(SERVER, false);
  render(
    <MantineProvider env="test">
      <ModelProvider model={model}>
        <PromptsPanel serverId={SERVER} />
      </ModelProvider>
    </MantineProvider>,
  );
  await act(() => Promise.resolve());
  const get = () => fireEvent.click(screen.getByRole('button', { name: 'Get prompt' }));
  const type = (label: RegExp, value: string) =>
    fireEvent.change(screen.getByRole('textbox', { name: label }), { target: { value } });
  const emitEnd = (outcome: ExchangeOutcome) =>
    act(() =>
      host.stream('prompt_get').emit({
        type: 'finished',
        outcome,
        durationMs: 4.2,
        humanWaitMs: 0,
        requestSeq: '1' as Seq,
        responseSeq: '2' as Seq,
      }),
    );
  const answerWith = (next: PromptListResponse) => {
    now = next;
    return act(() => model.prompts.load(SERVER, true));
  };
  return { host, model, get, type, emitEnd, answerWith };
}

const REVIEW = aPrompt(0, 'review', {
  title: 'Code review',
  arguments: [anArgument('code', true), anArgument('language')],
});

describe('the list of prompts', () => {
  it('says that it is empty, and can be requested again', async () => {
    await show(page([]));
    expect(screen.getByText('The server’s list of prompts is empty.')).toBeDefined();
    expect(screen.getByRole('button', { name: 'Refresh' })).toBeDefined();
  });

  it('says that the server does not offer prompts', async () => {
    await show(page([], { supported: false }));
    expect(screen.getByText('Prompts not supported')).toBeDefined();
    expect(screen.getByRole('button', { name: 'Request anyway' })).toBeDefined();
  });

  it('shows why it was refused, with Retry', async () => {
    await show(new CommandFailure({ code: 'internal', message: 'Method not found', detail: null }));
    expect(screen.getByText(/Method not found/)).toBeDefined();
    expect(screen.getByRole('button', { name: 'Retry' })).toBeDefined();
    expect(screen.queryByText('The server’s list of prompts is empty.')).toBeNull();
  });

  it('is searched by name, title and description; the search survives the panel', async () => {
    const { model } = await show(page([REVIEW, aPrompt(1, 'tour')]));
    fireEvent.change(screen.getByLabelText('Search prompts'), { target: { value: 'code' } });
    const rows = within(screen.getByRole('listbox', { name: 'Prompts' })).getAllByRole('option');
    expect(rows).toHaveLength(1);
    expect(screen.getByText('1 of 2')).toBeDefined();
    expect(model.promptViews.getState()[SERVER]?.query).toBe('code');
  });

  it('marks a changed list and keeps the selection and what was typed when it is read again', async () => {
    const { type, answerWith } = await show(page([REVIEW], { stale: 'changed' }));
    type(/^code/, 'let x');
    await answerWith(page([aPrompt(0, 'tour'), { ...REVIEW, index: 1 }], { stale: 'changed' }));
    expect(screen.getByText('Prompt list changed.')).toBeDefined();
    expect(screen.getByRole('heading', { name: 'review' })).toBeDefined();
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: /^code/ }).value).toBe('let x');
    await answerWith(page([aPrompt(0, 'tour')]));
    expect(screen.getByText(/No longer in the server’s list/)).toBeDefined();
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'code' }).value).toBe('let x');
  });
});

describe('a prompt', () => {
  it('is requested with what is typed, line breaks included', async () => {
    const { host, get, type } = await show(page([REVIEW]));
    type(/^code/, 'a\nb');
    get();
    expect(host.stream('prompt_get').params).toEqual({
      serverId: SERVER,
      name: 'review',
      argumentsJson: '{"code":"a\\nb"}',
      timeouts: null,
    });
    expect(screen.getByRole('button', { name: 'Cancel' })).toBeDefined();
  });

  it('is not requested without a required argument unless the user insists', async () => {
    const { host, get } = await show(page([REVIEW]));
    get();
    expect(host.streams('prompt_get')).toHaveLength(0);
    expect(screen.getByRole('alert').textContent).toContain('code is required');
    const described = screen.getByRole('textbox', { name: /^code/ }).getAttribute('aria-describedby');
    expect(document.getElementById(described ?? '')?.textContent).toBe('is required');
    fireEvent.click(screen.getByRole('button', { name: 'Send anyway' }));
    expect(host.stream('prompt_get').params.argumentsJson).toBeNull();
  });

  it('tells an omitted argument from an empty one', async () => {
    const { host, get } = await show(page([REVIEW]));
    fireEvent.click(screen.getByRole('button', { name: 'Set code to empty string' }));
    get();
    expect(host.stream('prompt_get').params.argumentsJson).toBe('{"code":""}');
  });

  it('is not requested while the server is not connected', async () => {
    const { host, get, type } = await show(page([REVIEW]), 'closed');
    type(/^code/, 'x');
    get();
    expect(host.streams('prompt_get')).toHaveLength(0);
    expect(screen.getByRole('alert').textContent).toContain('Not connected.');
  });

  it('shows its messages as a conversation, and an error in its own words', async () => {
    const { get, type, emitEnd } = await show(page([REVIEW]));
    type(/^code/, 'x');
    get();
    emitEnd(aPromptResult([aMessage('user', 'Hello'), aMessage('assistant', 'Hi')]));
    const roles = within(screen.getByRole('list', { name: 'Messages' })).getAllByRole('heading');
    expect(roles.map(({ textContent }) => textContent)).toEqual(['user', 'assistant']);
    get();
    emitEnd({
      type: 'rpcError',
      raw: { inline: '{}', body: 'b' as never, size: 2, pretty: null },
      code: '-32602',
      message: 'Missing argument: code',
      meaning: 'Invalid params',
      advice: null,
      dataJson: null,
    });
    expect(screen.getByText('JSON-RPC error -32602: Invalid params')).toBeDefined();
    expect(screen.getByText('2 requests')).toBeDefined();
  });

  it('is requested again without a change of what was typed meanwhile', async () => {
    const { host, get, type, emitEnd } = await show(page([REVIEW]));
    type(/^code/, 'x');
    get();
    emitEnd(aPromptResult([aMessage('user', 'Hello')]));
    type(/^code/, 'y');
    fireEvent.click(screen.getByRole('button', { name: 'Run again with the same arguments' }));
    const sent = host.streams('prompt_get').map(({ params }) => params.argumentsJson);
    expect(sent).toEqual(['{"code":"x"}', '{"code":"x"}']);
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: /^code/ }).value).toBe('y');
  });

  it('renders a bounded number of messages', async () => {
    const { get, emitEnd } = await show(page([aPrompt(0, 'long')]));
    get();
    emitEnd(aPromptResult(Array.from({ length: 1_000 }, (_, at) => aMessage('user', `m ${at}`))));
    const list = screen.getByRole('list', { name: 'Messages' });
    const count = (): number => within(list).getAllByRole('listitem').length;
    await waitFor(() => expect(count()).toBe(20));
    expect(screen.getByText('20 of 1,000 messages')).toBeDefined();
    fireEvent.click(screen.getByRole('button', { name: 'Show 20 more' }));
    await waitFor(() => expect(count()).toBe(40));
  });

  it('can be used in the chat', async () => {
    const { model, get, emitEnd } = await show(page([aPrompt(0, 'p')]));
    get();
    emitEnd(aPromptResult([aMessage('user', 'Hello')]));
    fireEvent.click(screen.getByRole('button', { name: 'Use in Chat' }));
    expect(model.promptHandover.take()).toMatchObject({ serverId: SERVER, prompt: 'p', responseSeq: '2' });
  });

  it('shows hostile texts as text', async () => {
    const markup = '<img src=x onerror="window.hostile = true">';
    const name = `<script>window.hostile = true</script>`;
    const { get, emitEnd } = await show(
      page([
        aPrompt(0, name, { title: markup, description: markup, arguments: [anArgument('__proto__')] }),
        aPrompt(1, ''),
        aPrompt(2, name),
        aPrompt(3, 'x'.repeat(10_000), { icon: 'data:image/png;base64,broken' }),
      ]),
    );
    get();
    emitEnd(aPromptResult([aMessage(markup, markup)]));
    expect(document.querySelector('img[src="x"], script')).toBeNull();
    expect(screen.getByRole('heading', { name: markup })).toBeDefined();
    expect('hostile' in window).toBe(false);
  });
});
