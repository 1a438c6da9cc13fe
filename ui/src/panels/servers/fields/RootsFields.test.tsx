import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { FolderState, RootSetId, RootSetItem } from '../../../contract/generated';
import type { FileDrop, Host } from '../../../host/host';
import { ScriptedHost } from '../../../host/scripted';
import { type ServerForm, chosenRoots, draftOf, emptyForm } from '../../../model/servers/serverForm';
import { ModelProvider, createModel } from '../../../model/workspace/context';
import { RootsFields } from './RootsFields';

const STATES: Record<string, FolderState> = {
  '/gone': 'missing',
  src: 'notAbsolute',
  '/etc/hosts': 'notAFolder',
};

let sets: RootSetItem[] = [];
beforeEach(() => {
  sets = [];
});

function open(paths: string[], picked?: string | null, onFileDrop?: Host['onFileDrop'], cwd = '') {
  const rootFolders = paths.map((path) => ({ path, name: '' }));
  const host = new ScriptedHost({
    folder_check: ({ paths: checked }) => ({
      folders: checked.map((path) => ({
        state: STATES[path] ?? 'ready',
        uri: path.startsWith('/') ? `file://${path}` : null,
        repository: path === '/repo/src' ? '/repo' : null,
        target: path === '/link' ? '/srv' : null,
      })),
    }),
    root_set_list: () => ({ items: sets }),
  });
  if (picked !== undefined) Object.assign(host, { pickFolder: () => Promise.resolve(picked) });
  if (onFileDrop !== undefined) Object.assign(host, { onFileDrop });
  const forms: ServerForm[] = [];
  function Fields() {
    const [form, setForm] = useState<ServerForm>({ ...emptyForm(), roots: 'folders', rootFolders, cwd });
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
  const form = (): ServerForm => forms.at(-1)!;
  return { host, roots: () => draftOf(form()).roots, chosen: () => chosenRoots(form()) };
}

describe('the folders of roots', () => {
  it('are checked, and say why one cannot be a root', async () => {
    open(['/gone', 'src', '/etc/hosts', '/srv']);
    expect(await screen.findByText('This folder does not exist')).toBeDefined();
    expect(await screen.findByText('The path must be absolute, without “..”')).toBeDefined();
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

  it('are suggested: the repository that a program works in', async () => {
    const { roots, chosen } = open([''], undefined, undefined, '/repo/src');
    fireEvent.click(await screen.findByRole('button', { name: 'Add /repo, the repository it works in' }));
    expect(roots()).toEqual({ type: 'folders', paths: ['/repo'] });
    expect(chosen()).toEqual(['/repo']);
    expect(screen.queryByRole('button', { name: /^Add \/repo/ })).toBeNull();
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
    let drop: ((drop: FileDrop) => void) | undefined;
    const { roots } = open(['/srv', ''], undefined, (listener) => {
      drop = listener;
      return () => undefined;
    });
    const inside = { x: 0, y: 0 };
    const place = screen.getByRole('group', { name: 'Folders' });
    // jsdom lays nothing out.
    document.elementFromPoint = () => place;
    act(() => drop?.({ type: 'over', paths: [], ...inside }));
    expect(place.hasAttribute('data-over')).toBe(true);
    act(() => drop?.({ type: 'drop', paths: ['/a b', '/srv'], ...inside }));
    expect(roots()).toEqual({ type: 'folders', paths: ['/srv', '/a b'] });
    // Another dialog is above it.
    document.elementFromPoint = () => document.body;
    act(() => drop?.({ type: 'drop', paths: ['/above'], ...inside }));
    document.elementFromPoint = () => place;
    act(() => drop?.({ type: 'drop', paths: ['/elsewhere'], x: 5000, y: 5000 }));
    expect(roots()).toEqual({ type: 'folders', paths: ['/srv', '/a b'] });
  });

  it('say that roots are deprecated, and where to go', () => {
    open(['/srv']);
    expect(screen.getByText(/Deprecated in 2026-07-28/)).toBeDefined();
    expect(screen.getByText(/tool parameters, resource URIs or the configuration/)).toBeDefined();
  });

  it('are the choice of the user once they were entered, whichever way, and not before', async () => {
    const { chosen } = open(['/repo/src', '/saved'], '/picked');
    expect(chosen()).toEqual([]);
    fireEvent.change(screen.getByRole('textbox', { name: 'Name of folder 1' }), { target: { value: 'A' } });
    expect(chosen()).toEqual([]);
    fireEvent.click(await screen.findByRole('button', { name: 'Use the repository /repo' }));
    fireEvent.click(screen.getByRole('button', { name: 'Add folder' }));
    fireEvent.change(screen.getByRole('textbox', { name: 'Folder 3' }), { target: { value: '/typed' } });
    expect(chosen()).toEqual(['/repo', '/typed']);
    fireEvent.click(screen.getByRole('button', { name: 'Choose folder 2' }));
    await waitFor(() => expect(chosen()).toEqual(['/repo', '/picked', '/typed']));
  });

  it('say which are the same, and where a link leads', async () => {
    open(['/srv', '/srv/', '/link', '//srv//.']);
    expect(screen.getAllByText('Same folder as folder 1; sent only once.')).toHaveLength(2);
    expect((await screen.findByText('file:///link')).parentElement?.textContent).toBe(
      'file:///link · resolves to /srv',
    );
  });

  it('are checked in one call, and a part of a thousand is shown', async () => {
    const { host, roots } = open(Array.from({ length: 1_000 }, (_, at) => `/many/${at}`));
    await screen.findByText('file:///many/7');
    expect(host.calls.filter(({ name }) => name === 'folder_check')).toHaveLength(1);
    expect(screen.queryByRole('textbox', { name: 'Folder 51' })).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Remove folder 1' }));
    fireEvent.click(screen.getByRole('button', { name: 'Show more (999 folders in total)' }));
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Folder 100' }).value).toBe('/many/100');
    const rule = roots();
    expect(rule?.type === 'folders' && rule.paths.length).toBe(999);
  });

  it('are shared by a set that several servers use', async () => {
    const id = 's1' as RootSetId;
    sets = [{ id, name: 'Work', folders: [{ path: '/a' }, { path: '/b' }], usedBy: [] }];
    const { roots } = open(['/srv']);
    const work = await screen.findByRole('checkbox', { name: 'Work' });
    expect(screen.getByText('/a, /b')).toBeDefined();
    fireEvent.click(work);
    expect(roots()).toEqual({ type: 'folders', paths: ['/srv'], sets: [id] });
    fireEvent.click(work);
    expect(roots()).toEqual({ type: 'folders', paths: ['/srv'] });
  });

  it('are typed where there is no dialog', () => {
    open(['/srv']);
    expect(screen.queryByRole('button', { name: /Choose/ })).toBeNull();
  });
});
