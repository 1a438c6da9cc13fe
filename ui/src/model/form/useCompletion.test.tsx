import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { CompletionCompleteResponse, ConnectionId, ServerId } from '../../contract/generated';
import { CommandFailure } from '../../host/host';
import { ScriptedHost } from '../../host/scripted';
import { ModelProvider, createModel } from '../workspace/context';
import { useCompletion } from './useCompletion';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const CONNECTION = '1' as ConnectionId;
const proposing = (value: string): CompletionCompleteResponse => ({
  values: [value],
  total: null,
  hasMore: false,
  seq: null,
});

/** A field whose server answers when the test says so. */
function open() {
  const requests: {
    text: string;
    resolve: (answer: CompletionCompleteResponse) => void;
    reject: (failure: CommandFailure) => void;
  }[] = [];
  const host = new ScriptedHost({
    completion_complete: ({ argument }) =>
      new Promise((resolve, reject) => {
        requests.push({ text: argument.value, resolve, reject });
      }),
  });
  const model = createModel(host);
  const { result, rerender } = renderHook(
    ({ name, text }: { name: string; text: string | null }) =>
      useCompletion(
        CONNECTION,
        text === null
          ? null
          : {
              serverId: 's' as ServerId,
              reference: { type: 'prompt', name: 'p' },
              argument: { name, value: text },
              context: [],
            },
      ),
    {
      initialProps: { name: 'a', text: null as string | null },
      wrapper: ({ children }: { children: ReactNode }) => (
        <ModelProvider model={model}>{children}</ModelProvider>
      ),
    },
  );
  return {
    shown: () => result.current,
    /** The texts the server was asked for. */
    asked: () => requests.map(({ text }) => text),
    /** Types a text and pauses; null leaves the field. */
    type: async (text: string | null, name = 'a'): Promise<void> => {
      rerender({ name, text });
      await act(() => vi.advanceTimersByTimeAsync(250));
    },
    answer: (index: number, value: string): Promise<void> =>
      act(async () => {
        requests[index]?.resolve(proposing(value));
        await vi.advanceTimersByTimeAsync(0);
      }),
    fail: (index: number, message: string): Promise<void> =>
      act(async () => {
        requests[index]?.reject(new CommandFailure({ code: 'serverError', message, detail: null }));
        await vi.advanceTimersByTimeAsync(0);
      }),
  };
}

it('asks a slow server for one text at a time, and then for the latest', async () => {
  const field = open();
  await field.type('x');
  await field.type('xy');
  await field.type('xyz');
  expect(field.asked()).toEqual(['x']);
  expect(field.shown().isLoading).toBe(true);

  await field.answer(0, 'of x');
  expect(field.asked()).toEqual(['x', 'xyz']);
  expect(field.shown()).toMatchObject({ values: [], isLoading: true });
  await field.answer(1, 'of xyz');
  expect(field.shown()).toMatchObject({ values: ['of xyz'], isLoading: false, error: null });
});

it('asks for the latest text after a failure too, and shows the answer under way if it is for that text', async () => {
  const field = open();
  await field.type('x');
  await field.type('xy');
  await field.fail(0, 'No.');
  expect(field.asked()).toEqual(['x', 'xy']);
  expect(field.shown()).toMatchObject({ isLoading: true, error: null });

  await field.type('xyz');
  await field.type('xy');
  await field.answer(1, 'of xy');
  expect(field.shown()).toMatchObject({ values: ['of xy'], isLoading: false });
  expect(field.asked()).toEqual(['x', 'xy']);
});

it('asks for nothing more in a field that was left, and at once in another one', async () => {
  const field = open();
  await field.type('x');
  await field.type('xy');
  await field.type('b', 'other');
  expect(field.asked()).toEqual(['x', 'b']);
  await field.type(null);
  await field.answer(0, 'of x');
  await field.answer(1, 'of b');
  expect(field.asked()).toEqual(['x', 'b']);
});
