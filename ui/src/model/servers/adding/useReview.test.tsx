import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, it, vi } from 'vitest';
import { ScriptedHost } from '../../../host/scripted';
import type { Validation } from '../../form/check/validate';
import { ModelProvider, createModel } from '../../workspace/context';
import { useReview } from './useReview';

const VALID: Validation = { type: 'checked', problems: [] };

/** A review whose checks end when the test says so. */
function open() {
  const model = createModel(new ScriptedHost({ server_list: () => ({ items: [] }) }));
  const ends: (() => void)[] = [];
  vi.spyOn(model.checker, 'known').mockReturnValue(undefined);
  vi.spyOn(model.checker, 'check').mockImplementation(
    () => new Promise((resolve) => ends.push(() => resolve(VALID))),
  );
  const run = vi.fn<(connect: boolean) => void>();
  const { result, rerender } = renderHook(
    (entered: { values: string; name: string }) => useReview({ schemaJson: '{}', ...entered }, null, run),
    {
      initialProps: { values: '{"key":"s3"}', name: 'a' },
      wrapper: ({ children }: { children: ReactNode }) => (
        <ModelProvider model={model}>{children}</ModelProvider>
      ),
    },
  );
  const checked = (): Promise<void> => act(async () => ends.splice(0).forEach((end) => end()));
  const add = (connect: boolean): void => act(() => result.current.add(connect));
  return { run, rerender, checked, add };
}

it('adds once what was entered is checked', async () => {
  const { run, checked, add } = open();
  add(true);
  expect(run).not.toHaveBeenCalled();
  await checked();
  expect(run.mock.calls).toEqual([[true]]);
});

it.each([
  { values: '{"key":"s3cr"}', name: 'a' },
  { values: '{"key":"s3"}', name: 'ab' },
])('adds nothing that was edited during the check, until asked again: %o', async (edited) => {
  const { run, rerender, checked, add } = open();
  add(true);
  rerender(edited);
  await checked();
  expect(run).not.toHaveBeenCalled();
  // The edit is taken back: the attempt is over all the same.
  rerender({ values: '{"key":"s3"}', name: 'a' });
  await checked();
  expect(run).not.toHaveBeenCalled();
  add(false);
  await checked();
  expect(run.mock.calls).toEqual([[false]]);
});
