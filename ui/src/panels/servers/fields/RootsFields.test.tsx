import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import type { FolderState } from '../../../contract/generated';
import { ScriptedHost } from '../../../host/scripted';
import { type ServerForm, draftOf, emptyForm } from '../../../model/servers/serverForm';
import { ModelProvider, createModel } from '../../../model/workspace/context';
import { RootsFields } from './RootsFields';

const STATES: Record<string, FolderState> = {
  '/gone': 'missing',
  src: 'notAbsolute',
  '/etc/hosts': 'notAFolder',
};

function open(rootFolders: string[], picked?: string | null) {
  const host = new ScriptedHost({
    folder_check: ({ path }) => ({
      state: STATES[path] ?? 'ready',
      uri: path.startsWith('/') ? `file://${path}` : null,
      repository: path === '/repo/src' ? '/repo' : null,
    }),
  });
  if (picked !== undefined) Object.assign(host, { pickFolder: () => Promise.resolve(picked) });
  const forms: ServerForm[] = [];
  function Fields() {
    const [form, setForm] = useState<ServerForm>({ ...emptyForm(), roots: 'folders', rootFolders });
    forms.push(form);
    return <RootsFields form={form} onChange={(change) => setForm((before) => ({ ...before, ...change }))} />;
  }
  render(
    <MantineProvider env="test">
      <ModelProvider model={createModel(host)}>
        <Fields />
      </ModelProvider>
    </MantineProvider>,
  );
  return { roots: () => draftOf(forms.at(-1)!).roots };
}

describe('the folders of roots', () => {
  it('are checked, and say why one cannot be a root', async () => {
    open(['/gone', 'src', '/etc/hosts', '/srv']);
    expect(await screen.findByText('This folder does not exist')).toBeDefined();
    expect(await screen.findByText('The path must be absolute')).toBeDefined();
    expect(await screen.findByText('This is a file, not a folder')).toBeDefined();
    expect(await screen.findByText('file:///srv')).toBeDefined();
  });

  it('are added, removed, and replaced with the repository around them', async () => {
    const { roots } = open(['/repo/src']);
    fireEvent.click(await screen.findByRole('button', { name: 'Use the repository /repo' }));
    fireEvent.click(screen.getByRole('button', { name: 'Add folder' }));
    fireEvent.change(screen.getByRole('textbox', { name: 'Folder 2' }), { target: { value: ' /srv ' } });
    expect(roots()).toEqual({ type: 'folders', paths: ['/repo', '/srv'] });
    fireEvent.click(screen.getByRole('button', { name: 'Remove folder 1' }));
    expect(roots()).toEqual({ type: 'folders', paths: ['/srv'] });
  });

  it('are chosen in a dialog where there is one; cancelling it changes nothing', async () => {
    const { roots } = open(['/srv'], '/chosen');
    fireEvent.click(screen.getByRole('button', { name: 'Choose folder 1' }));
    await waitFor(() => expect(roots()).toEqual({ type: 'folders', paths: ['/chosen'] }));
  });

  it('are typed where there is no dialog', () => {
    open(['/srv']);
    expect(screen.queryByRole('button', { name: /Choose/ })).toBeNull();
  });
});
