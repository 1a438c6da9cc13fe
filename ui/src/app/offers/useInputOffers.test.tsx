import { act, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { InputListResponse } from '../../contract/generated';
import { ScriptedHost } from '../../host/scripted';
import { input } from '../../model/inbox/inputs.fixture';
import { ModelProvider, createModel } from '../../model/workspace/context';
import { useInputOffers } from './useInputOffers';

let hasFocus = true;

beforeEach(() => {
  vi.useFakeTimers();
  hasFocus = true;
  vi.spyOn(document, 'hasFocus').mockImplementation(() => hasFocus);
});
afterEach(() => {
  vi.useRealTimers();
  document.body.replaceChildren();
});

async function start() {
  const queue: InputListResponse = { items: [], withdrawn: [], answered: [] };
  const host = new ScriptedHost({ input_list: () => structuredClone(queue) });
  const model = createModel(host);
  function Offers() {
    useInputOffers();
    return null;
  }
  render(
    <ModelProvider model={model}>
      <Offers />
    </ModelProvider>,
  );
  return {
    opened: () => model.workspace.getState().openInput,
    arrive: async () => {
      queue.items.push(input('1'));
      await act(async () => {
        const pulled = model.inputs.refresh();
        await vi.advanceTimersByTimeAsync(100);
        await pulled;
      });
    },
  };
}

test('a request opens once the dialog that is closing is gone', async () => {
  const dialog = document.createElement('div');
  dialog.setAttribute('role', 'dialog');
  document.body.append(dialog);
  const { opened, arrive } = await start();
  await arrive();
  expect(opened()).toBeNull();
  dialog.remove();
  await act(() => vi.advanceTimersByTimeAsync(300));
  expect(opened()).toEqual('1');
});

test('a request opens when the window gets the focus', async () => {
  hasFocus = false;
  const { opened, arrive } = await start();
  await arrive();
  expect(opened()).toBeNull();
  hasFocus = true;
  act(() => void window.dispatchEvent(new Event('focus')));
  expect(opened()).toEqual('1');
});

test('a request that comes while the user types stays in the inbox', async () => {
  const { opened, arrive } = await start();
  document.dispatchEvent(new KeyboardEvent('keydown', { key: 'a' }));
  await arrive();
  await act(() => vi.advanceTimersByTimeAsync(5_000));
  expect(opened()).toBeNull();
});
