import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type Task, runTask } from '../../../model/background/tasks';
import type { Validation } from '../../../model/form/check/validate';
import { input } from '../../../model/inbox/inputs.fixture';
import { openInbox } from '../inbox.fixture';

/** The checks that were begun; none ends by itself, as with a pattern that takes for ever. */
let checks: ((found: Validation) => void)[] = [];

class SlowWorker extends EventTarget {
  constructor() {
    super();
    queueMicrotask(() => this.#say({ type: 'ready' }));
  }
  postMessage(task: Task): void {
    if (task.type === 'check') checks.push((value) => this.#say({ type: 'done', value }));
    else queueMicrotask(() => this.#say(runTask(task)));
  }
  terminate(): void {}
  #say(data: unknown): void {
    this.dispatchEvent(new MessageEvent('message', { data }));
  }
}

const ASKING = input('1', {
  paramsJson: JSON.stringify({
    message: 'Who are you?',
    requestedSchema: {
      type: 'object',
      properties: { name: { type: 'string', pattern: '^(a+)+$', default: `${'a'.repeat(60)}!` } },
    },
  }),
});
const ANSWER = expect.objectContaining({ inputId: '1' }) as unknown;

const press = (text: string): void => void fireEvent.click(screen.getByText(text));
/** Lets so much time pass. */
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

beforeEach(() => {
  checks = [];
  vi.stubGlobal('Worker', SlowWorker);
  vi.useFakeTimers({ shouldAdvanceTime: true });
  return () => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  };
});

/** The dialog of a request, once its answer is being checked. */
async function open() {
  const opened = await openInbox({ items: [ASKING], withdrawn: [] }, true);
  await waitFor(() => expect(checks).toHaveLength(1));
  return opened;
}

describe('an answer whose check takes too long', () => {
  const WHY =
    'Not checked: checking against the schema of this request takes too long. The answer can be sent; the server may reject it.';

  it('is said to be not checked, and is sent without a question', async () => {
    const { sent } = await open();
    expect(screen.queryByRole('note')).toBeNull();
    await pass(3_000);
    expect((await screen.findByText(WHY)).closest('[role=note]')).not.toBeNull();
    expect(screen.queryByText('Send anyway')).toBeNull();
    press('Send answer');
    await waitFor(() => expect(sent()).toEqual([ANSWER]));
  });

  it('is sent as soon as the check was stopped, if the user sent it before', async () => {
    const { sent } = await open();
    press('Send answer');
    expect(screen.getByText('Checking the answer…')).toBeDefined();
    await pass(2_000);
    expect(sent()).toEqual([]);
    await pass(1_000);
    await waitFor(() => expect(sent()).toEqual([ANSWER]));
  });

  it('is sent unchecked at once, if the user does not want to wait', async () => {
    const { sent } = await open();
    press('Send answer');
    press('Send unchecked');
    await waitFor(() => expect(sent()).toEqual([ANSWER]));
  });

  it('is checked for longer on request only; what is found then is asked about', async () => {
    const { sent } = await open();
    await pass(10_000);
    await screen.findByText(WHY);
    expect(checks).toHaveLength(1);
    press('Check longer');
    await waitFor(() => expect(checks).toHaveLength(2));
    await pass(10_000);
    const problems = [{ pointer: '/name', message: 'does not match its pattern', missing: false }];
    act(() => checks[1]?.({ type: 'checked', problems }));
    expect(await screen.findByText('does not match its pattern')).toBeDefined();
    expect(screen.queryByText(WHY)).toBeNull();
    press('Send answer');
    expect(sent()).toEqual([]);
    press('Send anyway');
    await waitFor(() => expect(sent()).toEqual([ANSWER]));
  });

  it('is not checked for ever on request either', async () => {
    await open();
    await pass(3_000);
    await screen.findByText(WHY);
    press('Check longer');
    await waitFor(() => expect(checks).toHaveLength(2));
    expect(screen.queryByText(WHY)).toBeNull();
    await pass(30_000);
    expect(await screen.findByText(WHY)).toBeDefined();
  });
});
