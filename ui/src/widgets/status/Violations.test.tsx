import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { ScriptedHost } from '../../host/scripted';
import { ModelProvider, createModel } from '../../model/workspace/context';
import { Violations } from './Violations';

it('leads from a rule to its page, which has the clauses of the specification', () => {
  const model = createModel(new ScriptedHost());
  const items = [{ rule: 'id-null', severity: 'error', message: 'An id is null.', pointer: '/id' }] as const;
  render(
    <MantineProvider env="test">
      <ModelProvider model={model}>
        <Violations items={[...items]} label="Problems" />
      </ModelProvider>
    </MantineProvider>,
  );
  fireEvent.click(screen.getByRole('button', { name: 'id-null' }));
  expect(model.workspace.getState().helpPage).toBe('reference/rules/id-null.md');
});
