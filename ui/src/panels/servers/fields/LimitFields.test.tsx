import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { LimitItem } from '../../../contract/generated';
import { ScriptedHost } from '../../../host/scripted';
import { ModelProvider, createModel } from '../../../model/workspace/context';
import { LimitFields } from './LimitFields';

it('ties each field to its meaning, and to what is wrong with it', async () => {
  const item: LimitItem = {
    name: 'message',
    meaning: 'The longest message.',
    unit: 'bytes',
    default: 1_000,
    least: 1,
    most: 10_000,
  };
  const model = createModel(new ScriptedHost({ limit_list: () => ({ items: [item] }) }));
  render(
    <MantineProvider env="test">
      <ModelProvider model={model}>
        <LimitFields form={{ message: 'x' }} problems={{ message: 'Not a number.' }} onChange={() => {}} />
      </ModelProvider>
    </MantineProvider>,
  );
  const field = await screen.findByRole('textbox', { name: 'message' });
  const described = (field.getAttribute('aria-describedby') ?? '').split(' ');
  expect(described.map((id) => document.getElementById(id)?.textContent)).toEqual([
    'The longest message.',
    'Not a number.',
  ]);
});
