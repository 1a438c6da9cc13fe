import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { vi } from 'vitest';
import type { InputItem, ProviderId, ProviderItem, SamplingRules } from '../../../contract/generated';
import { ScriptedHost } from '../../../host/scripted';
import { input } from '../../../model/inbox/inputs.fixture';
import { ModelProvider, createModel } from '../../../model/workspace/context';
import { InputDialog } from '../InputDialog';

export const PARAMS =
  '{"messages":[{"role":"user","content":{"type":"text","text":"<img src=x onerror=alert(1)>"}}],"maxTokens":9007199254740993}';
export const PROVIDER: ProviderItem = {
  id: 'p' as ProviderId,
  name: 'Local',
  api: 'chatCompletions',
  baseUrl: 'http://127.0.0.1:1/v1',
  hasKey: false,
  defaultModel: 'talk',
  models: null,
};
export const RULES: SamplingRules = {
  request: 'ask',
  answer: 'ask',
  providerId: null,
  model: null,
  perMinute: 10,
  tokenBudget: 1000,
};

export async function open(part: Partial<InputItem> = {}, providers: ProviderItem[] = [PROVIDER]) {
  const item = input('1', {
    kind: 'sampling',
    method: 'sampling/createMessage',
    paramsJson: PARAMS,
    ...part,
  });
  let items = [item];
  const host = new ScriptedHost({
    ui_state_get: () => ({ stateJson: null }),
    input_list: () => ({ items, withdrawn: [], answered: [] }),
    input_answer: () => ({}),
    provider_list: () => ({ items: providers }),
    sampling_choose: () => ({
      choice: { providerId: PROVIDER.id, model: 'talk', reason: 'It matches the hint “talk”.' },
    }),
    sampling_rules_get: () => ({ rules: RULES, usedTokens: 12 }),
    sampling_rules_set: () => ({}),
  });
  const model = createModel(host);
  await model.inputs.refresh();
  const dialog = (key: string) => (
    <MantineProvider env="test">
      <ModelProvider model={model}>
        <InputDialog key={key} inputId={item.id} onClose={vi.fn()} />
      </ModelProvider>
    </MantineProvider>
  );
  const { rerender } = render(dialog('first'));
  /** Closes the dialog, and opens it again. */
  const reopen = (): void => rerender(dialog('again'));
  const sent = (name: string): unknown[] =>
    host.calls.filter((call) => call.name === name).map(({ params }) => params);
  /** The request is answered elsewhere. */
  const end = async (): Promise<void> => {
    items = [];
    await act(() => model.inputs.refresh());
  };
  return { host, model, item, sent, end, reopen };
}

export const press = (name: string): void => void fireEvent.click(screen.getByRole('button', { name }));
