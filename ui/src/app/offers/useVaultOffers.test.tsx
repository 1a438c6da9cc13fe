import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { RunState, ServerId, VaultState } from '../../contract/generated';
import { ScriptedHost } from '../../host/scripted';
import { authorization, run } from '../../model/authorization/authorization.fixture';
import { ModelProvider, createModel } from '../../model/workspace/context';
import { useVaultOffers } from './useVaultOffers';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const CHOICE: VaultState = { type: 'choice', cause: 'None.', next: 'Choose.', offers: ['memory'] };

it('asks by itself once for each way the vault waits, but not again for what was put off over a dialog', async () => {
  const host = new ScriptedHost({
    vault_get: () => ({ state: CHOICE, file: '/vault', count: 0 }),
    secret_find: () => ({ items: [] }),
  });
  const model = createModel(host);
  const isAsking = (): boolean => model.workspace.getState().vaultOpen;
  const settle = (): Promise<void> => act(async () => void (await vi.advanceTimersByTimeAsync(10_000)));
  model.workspace.setState({ dialog: { type: 'addServer', pasted: '' }, vaultOpen: true });
  renderHook(() => useVaultOffers(), {
    wrapper: ({ children }) => <ModelProvider model={model}>{children}</ModelProvider>,
  });
  await settle();
  expect(model.vault.getState().known?.state.type).toBe('choice');
  act(() => model.workspace.setState({ vaultOpen: false, dialog: null }));
  await settle();
  expect(isAsking()).toBe(false);
  host.answers.vault_get = () => ({ state: { type: 'locked' }, file: '/vault', count: 0 });
  void model.vault.refresh();
  await settle();
  expect(isAsking()).toBe(true);
});

it('does not open over an authorization that began before and is still loading', async () => {
  let state: RunState = 'running';
  const host = new ScriptedHost({
    vault_get: () => ({ state: CHOICE, file: '/vault', count: 0 }),
    secret_find: () => ({ items: [] }),
    authorization_get: async () => {
      await new Promise((resolve) => setTimeout(resolve, 200));
      return authorization({ run: run([], { state }) });
    },
  });
  const model = createModel(host);
  const isAsking = (): boolean => model.workspace.getState().vaultOpen;
  void model.authorizations.refresh('s' as ServerId);
  renderHook(() => useVaultOffers(), {
    wrapper: ({ children }) => <ModelProvider model={model}>{children}</ModelProvider>,
  });
  for (let passed = 0; passed < 1_000; passed += 10) {
    await act(async () => void (await vi.advanceTimersByTimeAsync(10)));
    expect(isAsking()).toBe(false);
  }
  expect(model.vault.getState().known?.state.type).toBe('choice');
  state = 'done';
  void model.authorizations.refresh('s' as ServerId);
  await act(async () => void (await vi.advanceTimersByTimeAsync(1_000)));
  expect(isAsking()).toBe(true);
});
