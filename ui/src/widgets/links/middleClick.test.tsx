import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { ScriptedHost } from '../../host/scripted';
import { ModelProvider, createModel } from '../../model/workspace/context';
import { ExternalLink } from './ExternalLink';
import { SpecLink } from './SpecLink';

const URL = 'https://example.org/';

it('opens a link by the middle button, and not by the right one', async () => {
  const user = userEvent.setup();
  const host = new ScriptedHost({ link_open: () => ({}) });
  render(
    <MantineProvider env="test">
      <ModelProvider model={createModel(host)}>
        <SpecLink name="ours" url={URL} />
        <ExternalLink url={URL}>theirs</ExternalLink>
      </ModelProvider>
    </MantineProvider>,
  );
  const press = async (button: string): Promise<void> => {
    for (const name of ['ours', 'theirs'])
      await user.pointer({ keys: `[Mouse${button}]`, target: screen.getByRole('link', { name }) });
  };
  await press('Right');
  expect(host.calls).toEqual([]);
  expect(screen.queryByRole('dialog')).toBeNull();
  await press('Middle');
  expect(host.calls).toEqual([{ name: 'link_open', params: { url: URL } }]);
  expect(screen.getByRole('dialog', { name: 'Open in the browser?' })).toBeDefined();
});
