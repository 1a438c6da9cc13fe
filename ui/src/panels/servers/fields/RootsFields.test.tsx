import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import type { FolderState } from '../../../contract/generated';
import type { FolderDrop, Host } from '../../../host/host';
import { ScriptedHost } from '../../../host/scripted';
import { type ServerForm, draftOf, emptyForm } from '../../../model/servers/serverForm';
import { ModelProvider, createModel } from '../../../model/workspace/context';
import { RootsFields } from './RootsFields';

const STATES: Record<string, FolderState> = {
  '/gone': 'missing',
  src: 'notAbsolute',
  '/etc/hosts': 'notAFolder',
};

function open(paths: string[], picked?: string | null, onFolderDrop?: Host['onFolderDrop']) {
  const rootFolders = paths.map((path) => ({ path, name: '' }));
  const host = new ScriptedHost({
    folder_check: ({ path }) => ({
      state: STATES[path] ?? 'ready',
      uri: path.startsWith('/') ? `file://${path}` : null,
      repository: path === '/repo/src' ? '/repo' : null,
    }),
  });
  if (picked !== undefined) Object.assign(host, { pickFolder: () => Promise.resolve(picked) });
  if (onFolderDrop !== undefined) Object.assign(host, { onFolderDrop });
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

  it('have names, which the server sees', () => {
    const { roots } = open(['/srv', '/other']);
    const name = screen.getByRole<HTMLInputElement>('textbox', { name: 'Name of folder 1' });
    expect(name.placeholder).toBe('srv');
    fireEvent.change(name, { target: { value: ' The data ' } });
    expect(roots()).toEqual({ type: 'folders', paths: ['/srv', '/other'], names: { '/srv': 'The data' } });
  });

  it('are dropped into the window, once each', async () => {
    let drop: ((drop: FolderDrop) => void) | undefined;
    const { roots } = open(['/srv', ''], undefined, (listener) => {
      drop = listener;
      return () => undefined;
    });
    const inside = { x: 0, y: 0 };
    act(() => drop?.({ type: 'over', paths: [], ...inside }));
    expect(screen.getByRole('group', { name: 'Folders' }).hasAttribute('data-over')).toBe(true);
    act(() => drop?.({ type: 'drop', paths: ['/a b', '/srv'], ...inside }));
    expect(roots()).toEqual({ type: 'folders', paths: ['/srv', '/a b'] });
    act(() => drop?.({ type: 'drop', paths: ['/elsewhere'], x: 5000, y: 5000 }));
    expect(roots()).toEqual({ type: 'folders', paths: ['/srv', '/a b'] });
  });

  it('say that roots are deprecated, and where to go', () => {
    open(['/srv']);
    expect(screen.getByText(/Deprecated in 2026-07-28/)).toBeDefined();
    expect(screen.getByText(/tool parameters, resource URIs or the configuration/)).toBeDefined();
  });

  it('are typed where there is no dialog', () => {
    open(['/srv']);
    expect(screen.queryByRole('button', { name: /Choose/ })).toBeNull();
  });
});
