import { MantineProvider } from '@mantine/core';
import { render, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { ScriptedHost } from '../../host/scripted';
import { ModelProvider, createModel } from '../../model/workspace/context';
import { IndentedJson } from './IndentedJson';

const show = (text: string) =>
  render(
    <MantineProvider env="test">
      <ModelProvider model={createModel(new ScriptedHost({}))}>
        <IndentedJson text={text} label="JSON" />
      </ModelProvider>
    </MantineProvider>,
  );

it('indents a short text at once, with numbers as they are', () => {
  show('{"a":1.10}');
  expect(screen.getByRole('textbox', { name: 'JSON' }).textContent).toContain('"a": 1.10');
});

it('indents a long text in the background, and shows one that is nested too deeply as it is', async () => {
  show(`{"a":"${'x'.repeat(60_000)}"}`);
  expect(screen.queryByRole('textbox')).toBeNull();
  await waitFor(() => expect(screen.getByRole('textbox').textContent).toContain('  "a": "xxx'));
  show(`${'['.repeat(60_000)}${']'.repeat(60_000)}`);
  await waitFor(() => expect(screen.getAllByRole('textbox')).toHaveLength(2));
});
