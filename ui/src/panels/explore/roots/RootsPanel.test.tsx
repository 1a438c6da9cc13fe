import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { RootItem, RootSetId, RootsDecideParams, ServerItem } from '../../../contract/generated';
import { CommandFailure } from '../../../host/host';
import { ScriptedHost } from '../../../host/scripted';
import { connection, server } from '../../../model/servers/servers.fixture';
import { type Model, ModelProvider, createModel } from '../../../model/workspace/context';
import { RootsPanel } from './RootsPanel';

const SET = 's1' as RootSetId;

function folder(path: string, part: Partial<RootItem> = {}): RootItem {
  const name = path.slice(1);
  return {
    path,
    name,
    uri: `file://${path}`,
    state: 'ready',
    consent: 'allowed',
    isOwn: true,
    sets: [],
    ...part,
  };
}

async function open(
  folders: RootItem[],
  part: Partial<ServerItem> = {},
  refuses = false,
): Promise<{ model: Model; host: ScriptedHost; decided: RootsDecideParams[] }> {
  const decided: RootsDecideParams[] = [];
  const base = server('a', connection({ state: 'ready' }));
  const draft = { ...base.draft, roots: { type: 'folders' as const, paths: ['/own'] } };
  const item: ServerItem = { ...base, draft, ...part };
  let known = folders;
  const host = new ScriptedHost({
    server_list: () => ({ items: [item] }),
    roots_get: () => ({ folders: known, askedAtMs: null }),
    root_set_list: () => ({ items: [{ id: SET, name: 'Work', folders: [], usedBy: [base.id] }] }),
    roots_decide: (params) => {
      if (refuses) return new CommandFailure({ code: 'storage', message: 'The disk is full.', detail: null });
      decided.push(params);
      const consent = params.isAllowed ? 'allowed' : 'declined';
      known = known.map((each) => (params.paths.includes(each.path) ? { ...each, consent } : each));
      return {};
    },
  });
  const model = createModel(host);
  await model.servers.refresh();
  render(
    <MantineProvider env="test">
      <ModelProvider model={model}>
        <RootsPanel serverId={base.id} />
      </ModelProvider>
    </MantineProvider>,
  );
  return { model, host, decided };
}

const row = (name: string): HTMLElement => screen.getByRole('listitem', { name });

it('shows what the server gets, what not and why, and where each folder is set', async () => {
  await open([
    folder('/own'),
    folder('/gone', { state: 'missing' }),
    folder('/shared', { consent: 'declined', isOwn: false, sets: [SET] }),
  ]);
  expect(await screen.findByText('The server gets 1 of 3 folders.')).toBeDefined();
  expect(within(row('/own: Allowed')).getByText('This server')).toBeDefined();
  expect(within(row('/gone: Missing')).getByText('file:///gone')).toBeDefined();
  expect(await within(row('/shared: Declined')).findByText('Work')).toBeDefined();
  expect(screen.getByText('Not requested yet.')).toBeDefined();
  expect(screen.queryByRole('region', { name: 'Consent' })).toBeNull();
});

it('asks once about the folders that were not chosen for the server; the others stay', async () => {
  const { decided } = await open([
    folder('/own'),
    folder('/new', { consent: 'open', isOwn: false, sets: [SET] }),
    folder('/gone', { consent: 'open', state: 'missing' }),
  ]);
  const consent = await screen.findByRole('region', { name: 'Consent' });
  expect(consent.textContent).toContain('1 folder is waiting for your consent.');
  fireEvent.click(within(consent).getByRole('button', { name: 'Allow 1 folder' }));
  await waitFor(() => expect(decided).toEqual([{ serverId: 'a', paths: ['/new'], isAllowed: true }]));
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Consent' })).toBeNull());
  // A decision can be changed.
  fireEvent.click(screen.getByRole('button', { name: 'Decline /new' }));
  await waitFor(() => expect(decided.at(-1)).toEqual({ serverId: 'a', paths: ['/new'], isAllowed: false }));
  await screen.findByRole('button', { name: 'Allow /new' });
});

it('says why a decision was not stored, and does not show it as made', async () => {
  await open([folder('/new', { consent: 'open' })], {}, true);
  fireEvent.click(await screen.findByRole('button', { name: 'Decline' }));
  expect(await screen.findByText(/The disk is full/)).toBeDefined();
  expect(row('/new: Waiting for you')).toBeDefined();
});

it('is current: a folder that is removed is shown at the next nudge', async () => {
  const { host } = await open([folder('/own')]);
  await screen.findByText('The server gets 1 folder.');
  host.answers.roots_get = () => ({
    folders: [folder('/own', { state: 'missing' })],
    askedAtMs: 1_700_000_000_000,
  });
  act(() => host.stream('app_watch').emit({ topic: 'roots', serverId: null, revision: 2 }));
  expect(await screen.findByText('The server gets none of 1 folder.')).toBeDefined();
  expect(screen.getByText(/^Last requested at /)).toBeDefined();
});

it('says what the settings are not used for', async () => {
  await open([], { simulated: ['roots'] });
  expect(await screen.findByText('The simulator answers in place of these settings.')).toBeDefined();
  expect(screen.getByText('No roots')).toBeDefined();
});
