import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import type { InputItem, ProviderId, ProviderItem, SamplingRules } from '../../../contract/generated';
import { ScriptedHost } from '../../../host/scripted';
import { input } from '../../../model/inbox/inputs.fixture';
import { ModelProvider, createModel } from '../../../model/workspace/context';
import { InputDialog } from '../InputDialog';

const PARAMS =
  '{"messages":[{"role":"user","content":{"type":"text","text":"<img src=x onerror=alert(1)>"}}],"maxTokens":9007199254740993}';
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
  request: 'ask',
  answer: 'ask',
  providerId: null,
  model: null,
  perMinute: 10,
  tokenBudget: 1000,
};

async function open(part: Partial<InputItem> = {}, providers: ProviderItem[] = [PROVIDER]) {
  const item = input('1', {
    kind: 'sampling',
    method: 'sampling/createMessage',
    paramsJson: PARAMS,
    ...part,
  });
  const host = new ScriptedHost({
    ui_state_get: () => ({ stateJson: null }),
    input_list: () => ({ items: [item], withdrawn: [], answered: [] }),
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
  render(
    <MantineProvider env="test">
      <ModelProvider model={model}>
        <InputDialog inputId={item.id} onClose={vi.fn()} />
      </ModelProvider>
    </MantineProvider>,
  );
  const sent = (name: string): unknown[] =>
    host.calls.filter((call) => call.name === name).map(({ params }) => params);
  return { host, model, item, sent };
}

const press = (name: string): void => void fireEvent.click(screen.getByRole('button', { name }));

describe('the dialog of a sampling request', () => {
  it('sends the request to the chosen model, and the edited answer to the server', async () => {
    const { host, sent } = await open();
    expect(await screen.findByText('It matches the hint “talk”.')).toBeDefined();
    press('Send to model');
    const stream = host.stream('sampling_generate');
    expect(stream.params).toMatchObject({ inputId: '1', providerId: 'p', model: 'talk' });
    expect(stream.params.paramsJson).toContain('9007199254740993');
    act(() =>
      stream.emit({
        type: 'finished',
        resultJson:
          '{"role":"assistant","content":{"type":"text","text":"Hi"},"model":"talk-1","stopReason":"endTurn"}',
        inputTokens: 1,
        outputTokens: 2,
        tookMs: 3,
      }),
    );
    const text = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Text' });
    expect(text.value).toBe('Hi');
    fireEvent.change(text, { target: { value: 'Hi there' } });
    press('Send answer');
    await waitFor(() => expect(sent('input_answer').length).toBe(1));
    expect(JSON.stringify(sent('input_answer'))).toContain('Hi there');
    expect(document.querySelector('img')).toBeNull();
  });

  it('sends what the user made of the request', async () => {
    const { host, model, item } = await open();
    await screen.findByText('It matches the hint “talk”.');
    act(() => model.sampling.edit(item.id, '{"messages":'));
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Send to model' }).disabled).toBe(true);
    act(() => model.sampling.edit(item.id, '{"messages":[]}'));
    press('Send to model');
    expect(host.stream('sampling_generate').params.paramsJson).toBe('{"messages":[]}');
  });

  it('needs no provider: the answer is written by hand', async () => {
    const { model, sent } = await open({}, []);
    fireEvent.change(await screen.findByRole('textbox', { name: 'Text' }), { target: { value: 'By hand' } });
    expect(await screen.findByRole('button', { name: 'Add a provider…' })).toBeDefined();
    press('Add a provider…');
    expect(model.workspace.getState().providersOpen).toBe(true);
    press('Send answer');
    await waitFor(() => expect(JSON.stringify(sent('input_answer'))).toContain('By hand'));
  });

  it('starts from what a rule proposes, with the reason', async () => {
    await open({
      proposal: {
        resultJson: '{"role":"assistant","content":{"type":"text","text":"Proposed"},"model":"m"}',
        reason: 'm answered. The rule leaves the answer to you.',
      },
    });
    expect(screen.getByText('m answered. The rule leaves the answer to you.')).toBeDefined();
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Text' }).value).toBe('Proposed');
  });

  it('sets the rules of the server', async () => {
    const { sent } = await open();
    const requests = await screen.findByRole('combobox', { name: 'Requests', hidden: true });
    fireEvent.change(requests, { target: { value: 'always' } });
    fireEvent.change(screen.getByRole('combobox', { name: 'Answers of the model', hidden: true }), {
      target: { value: 'always' },
    });
    fireEvent.click(screen.getByRole('button', { name: 'Save rules', hidden: true }));
    await waitFor(() => expect(sent('sampling_rules_set').length).toBe(1));
    expect(sent('sampling_rules_set')).toEqual([
      { serverId: 's', rules: { ...RULES, request: 'always', answer: 'always' } },
    ]);
  });
});

it('Ctrl-Enter in the request for the model does not send the answer', async () => {
  const { model, item, sent } = await open();
  act(() =>
    model.inputs.keepDraft(
      item.id,
      '{"role":"assistant","content":{"type":"text","text":"Hi"},"model":"m","stopReason":"endTurn"}',
    ),
  );
  const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 10_000);
  const keys = { key: 'Enter', ctrlKey: true };
  fireEvent.keyDown(screen.getByRole('textbox', { name: 'Request' }), keys);
  expect(sent('input_answer')).toEqual([]);
  fireEvent.keyDown(screen.getByRole('textbox', { name: 'Text' }), keys);
  await waitFor(() => expect(sent('input_answer').length).toBe(1));
  now.mockRestore();
});
