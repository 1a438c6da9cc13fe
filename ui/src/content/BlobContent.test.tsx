import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { ScriptedHost } from '../host/scripted';
import { ModelProvider, createModel } from '../model/workspace/context';
import { BlobContent } from './BlobContent';

it('shows CSV as a table that says what it leaves out, and as a text with everything', async () => {
  const csv = `a,b\n${'x'.repeat(1_205)},${'y,'.repeat(300)}z\n`;
  const host = new ScriptedHost({ server_list: () => ({ items: [] }) });
  const body = host.setBody('body', csv);
  render(
    <MantineProvider env="test">
      <ModelProvider model={createModel(host)}>
        <BlobContent body={body} mimeType="text/csv" fileName="a.csv" fill={false} />
      </ModelProvider>
    </MantineProvider>,
  );
  expect(await screen.findByText(/limited to .*; Text shows everything/)).toBeDefined();
  expect(screen.getByText(`${'x'.repeat(200)}… (1,005 more characters)`)).toBeDefined();
  await userEvent.click(screen.getByLabelText('Text'));
  expect((await screen.findByRole('textbox', { name: 'Text' })).textContent).toContain('z');
  await userEvent.click(screen.getByLabelText('Bytes'));
  expect(screen.queryByRole('textbox')).toBeNull();
});
