import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { ServerId } from '../../../contract/generated';
import { ScriptedHost } from '../../../host/scripted';
import { emptyComposerDraft } from '../../../model/exchange/composer';
import { ModelProvider, createModel } from '../../../model/workspace/context';
import { MAX_SAVED_BYTES } from '../../../model/workspace/saved';
import type { SavedRequest } from '../../../model/workspace/uiState';
import { SavedRequests } from './SavedRequests';

const SERVER = 's' as ServerId;
const user = userEvent.setup();
const saved = (name: string, text = '{}'): SavedRequest => ({ name, mode: 'request', method: name, text });

/** The saved requests of a server, beside a draft that is saved nowhere. */
function show(items: SavedRequest[], params = '{"typed":1}', of = SERVER) {
  const model = createModel(new ScriptedHost({ server_list: () => ({ items: [] }) }));
  model.ui.setState({ savedRequests: { [of]: items } });
  model.composer.change(SERVER, { method: 'tools/call', params });
  const draft = model.composer.getState()[SERVER] ?? emptyComposerDraft;
  render(
    <MantineProvider env="test">
      <ModelProvider model={model}>
        <SavedRequests serverId={SERVER} draft={draft} />
      </ModelProvider>
    </MantineProvider>,
  );
  return {
    model,
    draft: () => model.composer.getState()[SERVER],
    names: () => model.ui.getState().savedRequests[SERVER]?.map(({ name }) => name),
  };
}

const trash = (name: string): HTMLElement => screen.getByRole('button', { name: `Delete ${name}` });

describe('saved requests', () => {
  it('are loaded with a click', async () => {
    const { draft } = show([saved('a/list'), saved('b/list')]);
    await user.click(screen.getByText('b/list'));
    expect(draft()).toMatchObject({ method: 'b/list', params: '{}' });
  });

  it('are loaded beside what was typed and is not saved', async () => {
    const { draft } = show([saved('a/list')], '{"typed":1}');
    await user.click(screen.getByText('a/list'));
    expect(draft()?.replaced).toMatchObject({ method: 'tools/call', params: '{"typed":1}' });
  });

  it('keep what they are made of: it is not unsaved then', async () => {
    const { draft, names } = show([saved('a/list')]);
    await user.click(screen.getByRole('button', { name: 'Save…' }));
    await user.type(await screen.findByRole('textbox', { name: 'Name' }), '2{Enter}');
    expect(names()).toEqual(['a/list', 'tools/call2']);
    await user.click(screen.getByText('a/list'));
    expect(draft()).toMatchObject({ method: 'a/list', replaced: null });
  });

  it('lead to the editor with Enter', async () => {
    const { model } = show([saved('a/list'), saved('b/list')]);
    await user.click(screen.getByText('b/list'));
    screen.getByRole('listbox', { name: 'Saved requests' }).focus();
    await user.keyboard('{Enter}');
    expect(model.workspace.getState().focusComposerOf).toBe(SERVER);
  });

  it('are deleted without a change of the draft', async () => {
    const { draft, names } = show([saved('a/list'), saved('b/list')]);
    const before = draft();
    await user.click(trash('a/list'));
    expect(names()).toEqual(['b/list']);
    expect(draft()).toEqual(before);
    expect(screen.queryByRole('option', { selected: true })).toBeNull();
  });

  it('are deleted with Enter on the focused button', async () => {
    const { names } = show([saved('a/list'), saved('b/list')]);
    await user.click(screen.getByText('a/list'));
    trash('b/list').focus();
    await user.keyboard('{Enter}');
    expect(names()).toEqual(['a/list']);
  });

  it('are deleted one by one with a double click', async () => {
    const { names } = show([saved('a/list'), saved('b/list')]);
    await user.dblClick(trash('a/list'));
    expect(names()).toEqual(['b/list']);
  });

  it.each([
    ['full', [saved('a/list', 'x'.repeat(MAX_SAVED_BYTES))], '{}', 'The storage for saved requests is full.'],
    [
      'full by its bytes',
      [saved('a/list', '語'.repeat(MAX_SAVED_BYTES / 4))],
      '語'.repeat(MAX_SAVED_BYTES / 8),
      'The storage for saved requests is full.',
    ],
    ['too small', [], 'x'.repeat(MAX_SAVED_BYTES + 1), 'This request is too long to be saved.'],
  ])('are limited: says why when the storage is %s', async (_, items, params, reason) => {
    show(items, params, 'other' as ServerId);
    const save = screen.getByRole('button', { name: 'Save…' });
    expect(save.dataset['tip']).toContain(reason);
    await user.click(save);
    expect(screen.queryByRole('textbox', { name: 'Name' })).toBeNull();
  });

  it('take the place of a longer one of the same name when the storage is full', async () => {
    const items = [saved('a/list', 'x'.repeat(MAX_SAVED_BYTES - 10)), saved('b/list', 'x'.repeat(10))];
    const { model } = show(items, '{"typed":1234}');
    await user.click(screen.getByRole('button', { name: 'Save…' }));
    const name = await screen.findByRole('textbox', { name: 'Name' });
    expect(screen.getByText(/The storage for saved requests is full/)).toBeDefined();
    await user.clear(name);
    await user.keyboard('b/list{Enter}');
    expect(screen.getByText(/The storage for saved requests is full/)).toBeDefined();
    await user.clear(name);
    await user.keyboard('a/list{Enter}');
    expect(model.ui.getState().savedRequests[SERVER]?.map(({ text }) => text)).toEqual([
      '{"typed":1234}',
      'x'.repeat(10),
    ]);
  });

  it('are saved under a name', async () => {
    const { names } = show([saved('a/list')]);
    await user.click(screen.getByRole('button', { name: 'Save…' }));
    await user.clear(await screen.findByRole('textbox', { name: 'Name' }));
    await user.keyboard('mine{Enter}');
    expect(names()).toEqual(['a/list', 'mine']);
  });
});
