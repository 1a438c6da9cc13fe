import { MantineProvider } from '@mantine/core';
import { render, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { SamplingRulesGetResponse, ServerId } from '../../../contract/generated';
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
