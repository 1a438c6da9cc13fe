import { describe, expect, it } from 'vitest';
import type { ServerId } from '../../contract/generated';
import { ScriptedHost } from '../../host/scripted';
import { createModel } from '../workspace/context';
import { asksBefore, mayDestroy, setAskMode, setCalled } from './consent';

const hintsOf = (readOnly: boolean | null, destructive: boolean | null) => ({
  readOnly,
  destructive,
  idempotent: null,
  openWorld: null,
});
const SERVER = 's' as ServerId;

it.each([
  [null, null, true],
  [false, null, true],
  [false, true, true],
  [null, false, false],
  [false, false, false],
  [true, null, false],
  // The specification: destructiveHint has a meaning only if the tool is not read-only.
  [true, true, false],
])('readOnlyHint %s, destructiveHint %s: may destroy %s', (readOnly, destructive, expected) => {
  expect(mayDestroy(hintsOf(readOnly, destructive))).toBe(expected);
});

describe('asksBefore', () => {
  it('asks each time or once, and not for what the user has allowed', () => {
    const model = createModel(new ScriptedHost({ ui_state_get: () => ({ stateJson: null }) }));
    const asks = (name: string, destructive: boolean | null, isChanged = false) =>
      asksBefore(
        model.ui.getState(),
        model.workspace.getState().confirmedTools[SERVER],
        SERVER,
        { name, hints: hintsOf(null, destructive) },
        isChanged,
      );
    expect([asks('drop', true), asks('save', null)]).toEqual([true, true]);
    for (const name of ['drop', 'save']) setCalled(model.workspace, SERVER, name, true);
    expect([asks('drop', true), asks('save', null), asks('put', null)]).toEqual([true, false, true]);
    // A tool that comes to call itself destructive is asked for again.
    expect(asks('save', true)).toBe(true);
    setAskMode(model, SERVER, 'drop', 'neverTool');
    expect([asks('drop', true), asks('wipe', true)]).toEqual([false, true]);
    setAskMode(model, SERVER, 'drop', 'neverServer');
    expect([asks('drop', true), asks('wipe', true), asks('put', null)]).toEqual([false, false, false]);
    // What was allowed is not what the server lists now.
    expect([asks('drop', true, true), asks('put', null, true)]).toEqual([true, true]);
    setAskMode(model, SERVER, 'save', 'once');
    expect([asks('drop', true), asks('save', null)]).toEqual([true, true]);
  });
});
