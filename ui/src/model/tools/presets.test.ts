import { beforeEach, expect, it } from 'vitest';
import type { ServerId } from '../../contract/generated';
import { ScriptedHost } from '../../host/scripted';
import { type UiStateStore, createUiState, readUiState } from '../workspace/uiState';
import { MAX_SAVED_BYTES } from '../workspace/saved';
import { MAX_PRESETS, notSavedReason, presetEdits, presetsOfServer } from './presets';

const SERVER = 'server' as ServerId;
let ui: UiStateStore;
beforeEach(() => {
  ui = createUiState(new ScriptedHost({}));
});
const presets = (serverId = SERVER) => presetsOfServer(ui.getState(), serverId);

it('a preset is saved, replaced, renamed and removed without touching those of other tools', () => {
  const add = presetEdits(ui, SERVER, 'add');
  presetEdits(ui, SERVER, 'other').save('Mine', '{}');
  add.save('Mine', '{"a": 1.10}');
  add.save('Second', '{not JSON');
  add.save('Mine', '{"a": 2}');
  const other = { name: 'Mine', tool: 'other', text: '{}' };
  expect(presets()).toEqual([
    other,
    { name: 'Mine', tool: 'add', text: '{"a": 2}' },
    { name: 'Second', tool: 'add', text: '{not JSON' },
  ]);
  add.rename('Mine', 'First');
  add.rename('First', 'First');
  expect(presets().map(({ name }) => name)).toEqual(['Mine', 'First', 'Second']);
  add.rename('Second', 'First');
  expect(presets()).toEqual([other, { name: 'First', tool: 'add', text: '{not JSON' }]);
  add.remove('First');
  expect(presets()).toEqual([other]);
});

it('presets belong to one server, whatever it is called', () => {
  presetEdits(ui, SERVER, 'add').save('Mine', '{}');
  expect(presets('toString' as ServerId)).toEqual([]);
  expect(presets('another' as ServerId)).toEqual([]);
});

it('presets survive a restart, and what is not one is dropped', () => {
  presetEdits(ui, SERVER, 'add').save('Mine', '{"n":1.10}');
  const stored = JSON.parse(JSON.stringify(ui.getState())) as { presets: Record<string, unknown[]> };
  stored.presets[SERVER]?.push({ name: 'x' }, null, 7);
  expect(readUiState(JSON.stringify(stored)).presets).toEqual({
    [SERVER]: [{ name: 'Mine', tool: 'add', text: '{"n":1.10}' }],
  });
});

it('says why arguments cannot take the place of a preset, whose own size does not count', () => {
  presetEdits(ui, SERVER, 'add').save('Long', 'x'.repeat(MAX_SAVED_BYTES - 10));
  presetEdits(ui, SERVER, 'add').save('Short', '{}');
  const [long, short] = presets();
  const reason = (length: number, replaced: typeof long) =>
    notSavedReason(ui.getState(), MAX_PRESETS, 'x'.repeat(length), replaced);
  expect(reason(11, short)).toContain('Delete some');
  expect([reason(10, short), reason(MAX_SAVED_BYTES - 2, long)]).toEqual([null, null]);
});

it('says why arguments cannot be saved', () => {
  const reason = (count: number, length: number) => notSavedReason(ui.getState(), count, 'x'.repeat(length));
  expect(reason(0, 2)).toBeNull();
  expect(reason(MAX_PRESETS, 2)).toContain(String(MAX_PRESETS));
  expect(reason(0, MAX_SAVED_BYTES + 1)).toContain('too long');
  presetEdits(ui, SERVER, 'add').save('Long', 'x'.repeat(MAX_SAVED_BYTES));
  expect(reason(1, 2)).toContain('Delete some');
  presetEdits(ui, SERVER, 'add').save('Long', 'é'.repeat(MAX_SAVED_BYTES / 2));
  expect(reason(1, 2)).toContain('Delete some');
});
