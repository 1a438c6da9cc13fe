import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import type {
  ProviderId,
  ProviderItem,
  SamplingRules,
  SamplingRulesGetResponse,
  ServerId,
} from '../../../contract/generated';
import { ScriptedHost } from '../../../host/scripted';
import { ModelProvider, createModel } from '../../../model/workspace/context';
import { SamplingRulesDialog } from './SamplingRulesDialog';

it('gives the focus to the first rule, however late the rules come', async () => {
  let answer: (response: SamplingRulesGetResponse) => void = () => {};
  const rules = new Promise<SamplingRulesGetResponse>((resolve) => (answer = resolve));
  const host = new ScriptedHost({ sampling_rules_get: () => rules });
  render(
    <MantineProvider env="test">
      <ModelProvider model={createModel(host)}>
        <SamplingRulesDialog serverId={'s' as ServerId} serverName="Files" onClose={vi.fn()} />
      </ModelProvider>
    </MantineProvider>,
  );
  const dialog = await screen.findByRole('dialog');
  await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true));
  answer({
    rules: { request: 'ask', answer: 'ask', providerId: null, model: null, perMinute: 10, tokenBudget: 1 },
    usedTokens: 0,
  });
  const requests = await screen.findByRole('combobox', { name: 'Requests' });
  await waitFor(() => expect(document.activeElement).toBe(requests));
});

const PROVIDER: ProviderItem = {
  id: 'p' as ProviderId,
  name: 'Local',
  api: 'chatCompletions',
  baseUrl: 'http://127.0.0.1:1/v1',
  hasKey: false,
  defaultModel: 'talk',
  models: null,
};
const RULES: SamplingRules = {
  request: 'always',
  answer: 'ask',
  providerId: PROVIDER.id,
  model: 'older',
  perMinute: 10,
  tokenBudget: 1000,
};

describe('the rules', () => {
  function open(providers: ProviderItem[]) {
    const host = new ScriptedHost({
      provider_list: () => ({ items: providers }),
      sampling_rules_get: () => ({ rules: RULES, usedTokens: 12 }),
      sampling_rules_set: () => ({}),
    });
    render(
      <MantineProvider env="test">
        <ModelProvider model={createModel(host)}>
          <SamplingRulesDialog serverId={'s' as ServerId} serverName="Files" onClose={vi.fn()} />
        </ModelProvider>
      </MantineProvider>,
    );
    return { host };
  }
  const shown = async () =>
    (await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Model' })).selectedOptions[0]
      ?.textContent;

  it('name the model that is used, not the present default of its provider', async () => {
    open([PROVIDER]);
    await waitFor(async () => expect(await shown()).toBe('Local: older'));
  });

  it('say that the provider of the model was removed', async () => {
    open([{ ...PROVIDER, id: 'other' as ProviderId }]);
    await waitFor(async () => expect(await shown()).toBe('Removed provider: older'));
  });

  it('take limits that are cleared and typed', async () => {
    const { host } = open([]);
    const field = await screen.findByLabelText<HTMLInputElement>('Max requests per minute');
    for (const value of ['', '2', '25']) {
      fireEvent.change(field, { target: { value } });
      expect(field.value).toBe(value);
    }
    fireEvent.blur(field);
    fireEvent.click(screen.getByRole('button', { name: 'Save rules' }));
    const saved = () => host.calls.filter(({ name }) => name === 'sampling_rules_set');
    await waitFor(() => expect(saved()).toHaveLength(1));
    expect(saved()[0]?.params).toEqual({ serverId: 's', rules: { ...RULES, perMinute: 25 } });
  });
});
