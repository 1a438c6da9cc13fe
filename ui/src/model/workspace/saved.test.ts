import { expect, it } from 'vitest';
import type { ServerId } from '../../contract/generated';
import { withoutServer } from './saved';
import { type UiState, initialUiState } from './uiState';

/** Maps by something else than a server. */
const OTHERS = ['shortcuts', 'cannedAnswers', 'layouts'];

it('nothing is stored of a server that was removed, and everything of the others', () => {
  const maps = Object.entries(initialUiState)
    .filter(([name, value]) => JSON.stringify(value) === '{}' && !OTHERS.includes(name))
    .map(([name]) => name);
  expect(maps).toContain('presets');
  const filled = Object.fromEntries(maps.map((name) => [name, { gone: [], kept: [] }]));
  const state = {
    ...initialUiState,
    ...filled,
    unconfirmedServers: ['kept', 'gone'],
    shortcuts: { gone: 'F2' },
  } as UiState;
  const after = { ...state, ...withoutServer(state, 'gone' as ServerId) };
  expect(after).toEqual({
    ...state,
    ...Object.fromEntries(maps.map((name) => [name, { kept: [] }])),
    unconfirmedServers: ['kept'],
  });
});
