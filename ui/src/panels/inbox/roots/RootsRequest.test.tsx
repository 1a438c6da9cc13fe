import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import type { FolderFacts, InputId } from '../../../contract/generated';
import { input } from '../../../model/inbox/inputs.fixture';
import { connection, server } from '../../../model/servers/servers.fixture';
import { openInbox } from '../inbox.fixture';

const ASKING = input('1', { kind: 'roots', method: 'roots/list', paramsJson: '{}' });

function facts(path: string): FolderFacts {
  const uri = path.startsWith('/') ? `file://${encodeURI(path)}` : null;
  return { state: uri === null ? 'notAbsolute' : 'ready', uri, repository: null, target: null };
}

/** A request for roots, whose folders are checked when the test says so. */
async function open(answers: Parameters<typeof openInbox>[2] = {}) {
  const checks: (() => void)[] = [];
  const inbox = await openInbox({ items: [ASKING], withdrawn: [] }, true, {
    folder_check: ({ paths }) =>
      new Promise((resolve) => void checks.push(() => resolve({ folders: paths.map(facts) }))),
    ...answers,
  });
  const { model, sent } = inbox;
  return {
    ...inbox,
    /** The folders of the draft. */
    draft: (): unknown => JSON.parse(model.inputs.getState().drafts[ASKING.id] ?? '{"roots":[]}'),
    answers: (): unknown[] =>
      (sent() as { answer: { json: string } }[]).map(({ answer }) => JSON.parse(answer.json) as unknown),
    /** Answers the next check of folders. */
    check: async (): Promise<void> => {
      await waitFor(() => expect(checks).not.toEqual([]));
      await act(async () => {
        for (const answer of checks.splice(0)) answer();
        await Promise.resolve();
      });
    },
  };
}

const field = (name = 'Folder 1'): HTMLInputElement => screen.getByRole('textbox', { name });
const enter = (path: string, name?: string): void =>
  void fireEvent.change(field(name), { target: { value: path } });
const press = (name: string): void => void fireEvent.click(screen.getByRole('button', { name }));

function pressCtrlEnter(): void {
  const now = performance.now();
  vi.spyOn(performance, 'now').mockReturnValue(now + 10_000);
  fireEvent.keyDown(field(), { key: 'Enter', ctrlKey: true });
}

describe('the folders of an answer', () => {
  it('are reset with it', async () => {
    const { answers, check } = await open();
    enter('/srv/a');
    await check();
    await screen.findByText('file:///srv/a');
    press('Reset');
    expect(field().value).toBe('');
    enter('/srv/b');
    await check();
    await screen.findByText('file:///srv/b');
    press('Send answer');
    await waitFor(() => expect(answers()).toEqual([{ roots: [{ uri: 'file:///srv/b', name: 'b' }] }]));
  });

  it('are sent once they are known, if they are to be sent before', async () => {
    const { answers, check } = await open();
    enter('/srv/a');
    pressCtrlEnter();
    expect(screen.getByText('Checking the answer…')).toBeDefined();
    expect(answers()).toEqual([]);
    await check();
    await waitFor(() => expect(answers()).toEqual([{ roots: [{ uri: 'file:///srv/a', name: 'a' }] }]));
  });

  it('are not sent by an earlier key if they are edited meanwhile', async () => {
    const { answers, check } = await open();
    enter('/srv/a');
    pressCtrlEnter();
    enter('/srv/ab');
    await check();
    await screen.findByText('file:///srv/ab');
    expect(screen.queryByText('Checking the answer…')).toBeNull();
    expect(answers()).toEqual([]);
  });

  it('are a problem where they have no URI, instead of being left out', async () => {
    const { answers, check, draft } = await open();
    enter('srv/a');
    await check();
    expect(await screen.findByText(/must begin with file:/)).toBeDefined();
    press('Send answer');
    expect(answers()).toEqual([]);
    expect(draft()).toEqual({ roots: [{ uri: 'srv/a', name: 'a' }] });
  });

  it('are kept when the dialog is closed before they are known', async () => {
    const { check, open: show } = await open();
    enter('/srv/a');
    show('2' as InputId);
    show(ASKING.id);
    expect(field().value).toBe('/srv/a');
    await check();
    expect(await screen.findByText('file:///srv/a')).toBeDefined();
  });

  it('are sent once each, as the note at the field says', async () => {
    const { answers, check } = await open();
    enter('/srv/a');
    press('Add folder');
    enter('/srv/a', 'Folder 2');
    await check();
    expect(await screen.findByText(/sent only once/)).toBeDefined();
    press('Send answer');
    await waitFor(() => expect(answers()).toEqual([{ roots: [{ uri: 'file:///srv/a', name: 'a' }] }]));
  });

  it('are said to be saved for later requests only as long as they are the same', async () => {
    const { check, model } = await open({
      server_list: () => ({ items: [server('s', connection({ state: 'ready' }))] }),
      server_update: () => ({}),
    });
    await act(() => model.servers.refresh());
    enter('/srv/a');
    await check();
    press('Always send these folders to everything');
    expect(await screen.findByText('Saved in the server settings.')).toBeDefined();
    enter('/srv/b');
    expect(screen.queryByText('Saved in the server settings.')).toBeNull();
  });
});
