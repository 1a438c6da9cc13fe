import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type {
  RootSetId,
  RootSetItem,
  RootSetRemoveParams,
  RootSetSaveParams,
} from '../../contract/generated';
import { CommandFailure } from '../../host/host';
import { ScriptedHost } from '../../host/scripted';
import { connection, server } from '../../model/servers/servers.fixture';
import { ModelProvider, createModel } from '../../model/workspace/context';
import { RootSetsDialog } from './RootSetsDialog';

const ID = 's1' as RootSetId;

async function open(sets: RootSetItem[]) {
  const saved: RootSetSaveParams[] = [];
  const removed: RootSetRemoveParams[] = [];
  let items = sets;
  const host = new ScriptedHost({
    server_list: () => ({ items: [server('alpha', connection({})), server('beta', connection({}))] }),
    folder_check: ({ paths }) => ({
      folders: paths.map((path) => ({
        state: 'ready',
        uri: `file://${path}`,
        repository: null,
        target: null,
      })),
    }),
    root_set_list: () => ({ items }),
    root_set_save: (params) => {
      if (params.name === 'Taken') {
        const message = 'There is another set named “Taken”.';
        return new CommandFailure({ code: 'invalidParams', message, detail: null });
      }
      saved.push(params);
      const id = params.rootSetId ?? ID;
      items = [{ id, name: params.name, folders: params.folders, usedBy: items[0]?.usedBy ?? [] }];
      return { rootSetId: id };
    },
    root_set_remove: (params) => {
      removed.push(params);
      items = [];
      return {};
    },
  });
  const model = createModel(host);
  await model.servers.refresh();
  model.workspace.setState({ rootSetsOpen: true });
  render(
    <MantineProvider env="test">
      <ModelProvider model={model}>
        <RootSetsDialog />
      </ModelProvider>
    </MantineProvider>,
  );
  return { host, model, saved, removed };
}

const type = (name: string, value: string): void => {
  fireEvent.change(screen.getByRole('textbox', { name }), { target: { value } });
};
const press = (name: string): void => {
  fireEvent.click(screen.getByRole('button', { name }));
};

it('a set is added, after what is wrong with it was said', async () => {
  const { saved } = await open([]);
  await screen.findByText('No shared sets.');
  press('Add a set');
  press('Save');
  expect(screen.getByText('Enter a name.')).toBeDefined();
  type('Name', 'Taken');
  type('Folder 1', 'src');
  press('Save');
  expect(screen.getByText('“src” is not an absolute path.')).toBeDefined();
  type('Folder 1', '/srv/a b');
  type('Name of folder 1', 'Data');
  press('Save');
  expect(await screen.findByText(/another set named “Taken”/)).toBeDefined();
  type('Name', 'Work');
  press('Save');
  expect(await screen.findByRole('listitem', { name: 'Work' })).toBeDefined();
  expect(saved).toEqual([{ rootSetId: null, name: 'Work', folders: [{ path: '/srv/a b', name: 'Data' }] }]);
});

it('what was entered is not lost to Escape', async () => {
  const { saved } = await open([]);
  await screen.findByText('No shared sets.');
  press('Add a set');
  type('Name', 'Work');
  const dialog = screen.getByRole('dialog');
  fireEvent.keyDown(dialog, { key: 'Escape' });
  expect(screen.getByRole('alert').textContent).toBe('Unsaved changes.');
  type('Name', 'Works');
  expect(screen.queryByRole('alert')).toBeNull();
  fireEvent.keyDown(dialog, { key: 'Escape' });
  fireEvent.keyDown(dialog, { key: 'Escape' });
  press('Discard changes');
  await screen.findByText('No shared sets.');
  expect(saved).toEqual([]);
});

it('a set that is used says by whom: while it is edited, and before it is removed', async () => {
  const usedBy = [server('alpha', connection({})).id, server('beta', connection({})).id];
  const { saved, removed } = await open([{ id: ID, name: 'Work', folders: [{ path: '/a' }], usedBy }]);
  const row = await screen.findByRole('listitem', { name: 'Work' });
  expect(within(row).getByText('Used by alpha, beta')).toBeDefined();
  press('Edit');
  expect(screen.getByText(/Used by alpha, beta\. Removed folders/)).toBeDefined();
  type('Name', 'Projects');
  press('Save');
  await screen.findByRole('listitem', { name: 'Projects' });
  expect(saved).toEqual([{ rootSetId: ID, name: 'Projects', folders: [{ path: '/a' }] }]);
  press('Remove…');
  expect(screen.getByRole('alert').textContent).toBe(
    'alpha, beta use this set and will no longer receive its folders.',
  );
  press('Cancel');
  press('Remove…');
  press('Remove');
  await waitFor(() => expect(removed).toEqual([{ rootSetId: ID, despiteUse: true }]));
  await screen.findByText('No shared sets.');
});

it('the focus goes to the name of a set that is edited, and back to the button that adds one', async () => {
  await open([]);
  const add = await screen.findByRole('button', { name: 'Add a set' });
  await waitFor(() => expect(document.activeElement).toBe(add));
  fireEvent.click(add);
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Name' }));
  press('Cancel');
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add a set' }));
});

it('keeps what is entered when the sets cannot be listed again', async () => {
  const { host, model } = await open([{ id: ID, name: 'Work', folders: [{ path: '/a' }], usedBy: [] }]);
  await screen.findByRole('listitem', { name: 'Work' });
  press('Add a set');
  type('Name', 'Projects');
  const answer = host.answers.root_set_list;
  delete host.answers.root_set_list;
  await act(() => model.roots.refreshSets());
  expect(screen.getByRole('alert').textContent).toContain('no answer for root_set_list');
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' }).value).toBe('Projects');
  host.answers.root_set_list = answer;
  press('Try again');
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' }).value).toBe('Projects');
});
