import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ServerId } from '../../contract/generated';
import { CommandFailure } from '../../host/host';
import { ScriptedHost } from '../../host/scripted';
import { createUiState, initialUiState, readUiState } from './uiState';

describe('readUiState', () => {
  it('takes what it understands and the initial state for the rest', () => {
    const state = readUiState(
      JSON.stringify({
        theme: 'dark',
        selectedServer: 's1',
        dockOpen: 'yes',
        unknown: 1,
        traffic: { filter: 'tools', detailForm: 1, oneServer: true },
        layouts: { outer: { top: 60, dock: 40 } },
      }),
    );
    expect(state).toEqual({
      ...initialUiState,
      theme: 'dark',
      selectedServer: 's1',
      traffic: { ...initialUiState.traffic, filter: 'tools', oneServer: true },
      layouts: { outer: { top: 60, dock: 40 } },
    });
  });

  it.each(['', 'null', '[]', '{', '"x"'])('takes the initial state for %j', (text) => {
    expect(readUiState(text)).toEqual(initialUiState);
  });

  it('does not take a word it does not know for a choice', () => {
    expect(readUiState('{"theme":"pink","exploreTab":3,"dockTab":7,"traffic":{"filter":1}}')).toEqual(
      initialUiState,
    );
  });
});

describe('createUiState', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  const saved = (host: ScriptedHost): unknown[] =>
    host.calls
      .filter(({ name }) => name === 'ui_state_set')
      .map(({ params }) => JSON.parse((params as { stateJson: string }).stateJson) as unknown);

  it('saves once after several changes, and not when nothing changed', async () => {
    const host = new ScriptedHost({ ui_state_get: () => ({ stateJson: null }), ui_state_set: () => ({}) });
    const ui = createUiState(host);
    await ui.load();
    ui.setState({ dockOpen: false });
    ui.setState({ dockTab: 'output' });
    expect(saved(host)).toEqual([]);
    await vi.advanceTimersByTimeAsync(300);
    expect(saved(host)).toEqual([{ ...initialUiState, dockOpen: false, dockTab: 'output' }]);
    ui.setState({ dockTab: 'output' });
    await vi.advanceTimersByTimeAsync(1000);
    expect(saved(host).length).toBe(1);
  });

  it('does not write before it has read', async () => {
    const host = new ScriptedHost({
      ui_state_get: () => ({ stateJson: '{"theme":"dark"}' }),
      ui_state_set: () => ({}),
    });
    const ui = createUiState(host);
    await ui.load();
    expect(ui.getState().theme).toBe('dark');
    await vi.advanceTimersByTimeAsync(1000);
    expect(saved(host)).toEqual([]);
  });

  it('saves at once when asked', async () => {
    const host = new ScriptedHost({ ui_state_get: () => ({ stateJson: null }), ui_state_set: () => ({}) });
    const ui = createUiState(host);
    await ui.load();
    ui.setState({ theme: 'light' });
    ui.flush();
    expect(saved(host).length).toBe(1);
    await vi.advanceTimersByTimeAsync(1000);
    expect(saved(host).length).toBe(1);
  });

  it('lives on when the engine cannot save, and saves the next change', async () => {
    const host = new ScriptedHost({ ui_state_get: () => ({ stateJson: null }) });
    const ui = createUiState(host);
    await ui.load();
    ui.setState({ theme: 'dark' });
    await vi.advanceTimersByTimeAsync(300);
    ui.setState({ theme: 'light' });
    await vi.advanceTimersByTimeAsync(300);
    expect(saved(host).length).toBe(2);
  });

  it('reports a refusal once, and that saving works again', async () => {
    const reports: (string | null)[] = [];
    const tooLarge = new CommandFailure({ code: 'invalidParams', message: 'too large', detail: null });
    const host = new ScriptedHost({
      ui_state_get: () => ({ stateJson: null }),
      ui_state_set: () => tooLarge,
    });
    const ui = createUiState(host, (error) => reports.push(error?.message ?? null));
    await ui.load();
    for (const dockTab of ['output', 'problems']) {
      ui.setState({ dockTab });
      await vi.advanceTimersByTimeAsync(300);
    }
    expect(reports).toEqual(['too large']);
    host.answers.ui_state_set = () => ({});
    ui.setState({ dockTab: 'traffic' });
    await vi.advanceTimersByTimeAsync(300);
    expect(reports).toEqual(['too large', null]);
  });

  it('does not call again by itself after a refusal', async () => {
    const host = new ScriptedHost({ ui_state_get: () => ({ stateJson: null }) });
    const ui = createUiState(host);
    await ui.load();
    for (const dockTab of ['output', 'problems']) {
      ui.setState({ dockTab });
      await vi.advanceTimersByTimeAsync(300);
    }
    const { length } = host.calls;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(host.calls).toHaveLength(length);
  });

  it('reports a refusal after the connection was lost, and not the loss', async () => {
    const reports: (string | null)[] = [];
    const failure = (code: 'internal' | 'invalidParams') =>
      new CommandFailure({ code, message: code, detail: null });
    const host = new ScriptedHost({ ui_state_get: () => ({ stateJson: null }) });
    const ui = createUiState(host, (error) => reports.push(error?.message ?? null));
    await ui.load();
    const save = async (answer: CommandFailure | Record<string, never>): Promise<void> => {
      host.answers.ui_state_set = () => answer;
      ui.setState(({ dockOpen }) => ({ dockOpen: !dockOpen }));
      await vi.advanceTimersByTimeAsync(300);
    };
    await save(failure('internal'));
    expect(reports).toEqual([]);
    await save(failure('invalidParams'));
    await save(failure('internal'));
    expect(reports).toEqual(['invalidParams']);
    await save({});
    expect(reports).toEqual(['invalidParams', null]);
  });

  it('does not write over a state that it could not read, and joins the two when it can', async () => {
    const host = new ScriptedHost({ ui_state_set: () => ({}) });
    const ui = createUiState(host);
    await ui.load();
    expect(ui.getState()).toEqual(initialUiState);
    ui.setState({ theme: 'dark' });
    await vi.advanceTimersByTimeAsync(1000);
    expect(saved(host)).toEqual([]);
    host.answers.ui_state_get = () => ({ stateJson: '{"theme":"light","selectedServer":"s1"}' });
    ui.flush();
    await vi.advanceTimersByTimeAsync(0);
    expect(ui.getState()).toEqual({ ...initialUiState, theme: 'dark', selectedServer: 's1' });
    expect(saved(host)).toEqual([ui.getState()]);
  });

  it('does not take what was read before a write for newer', async () => {
    const answers: (() => void)[] = [];
    let stateJson: string | null = null;
    const host = new ScriptedHost({
      ui_state_get: () => {
        const read = { stateJson };
        return new Promise((resolve) => answers.push(() => resolve(read)));
      },
      ui_state_set: (params) => {
        ({ stateJson } = params);
        return {};
      },
    });
    const ui = createUiState(host);
    const loaded = ui.load();
    answers.pop()?.();
    await loaded;
    const refreshed = ui.refresh();
    ui.setState({ terminal: 'xterm' });
    ui.flush();
    await vi.advanceTimersByTimeAsync(0);
    answers.shift()?.();
    await vi.advanceTimersByTimeAsync(0);
    expect(ui.getState().terminal).toBe('xterm');
    answers.shift()?.();
    await refreshed;
    expect(ui.getState().terminal).toBe('xterm');
  });

  describe('with another window on the same engine', () => {
    /** Two windows that have read the same state. */
    async function openTwo(first: Partial<typeof initialUiState>) {
      let stateJson = JSON.stringify({ ...initialUiState, ...first });
      const host = new ScriptedHost({
        ui_state_get: () => ({ stateJson }),
        ui_state_set: (params) => {
          ({ stateJson } = params);
          return {};
        },
      });
      const one = createUiState(host);
      const other = createUiState(host);
      await Promise.all([one.load(), other.load()]);
      return { host, one, other, stored: () => readUiState(stateJson) };
    }
    const preset = { name: 'p', tool: 't', text: '{}' };
    const soon = () => vi.advanceTimersByTimeAsync(1000);

    it('saves over what that has saved only what was changed here', async () => {
      const { one, other, stored } = await openTwo({ unconfirmedServers: ['s'] });
      one.setState({ presets: { s: [preset] }, unconfirmedServers: [] });
      await soon();
      other.setState({ dockTab: 'output', savedRequests: { s: [] } });
      await soon();
      expect(stored()).toEqual({
        ...initialUiState,
        presets: { s: [preset] },
        dockTab: 'output',
        savedRequests: { s: [] },
      });
      one.setState({ dockOpen: false });
      await soon();
      expect(stored()).toMatchObject({ dockOpen: false, dockTab: 'output' });
    });

    it('saves of a map only what was changed in it here', async () => {
      const { one, other, stored } = await openTwo({ presets: { gone: [preset], s: [] } });
      one.setState(({ presets }) => ({ presets: { ...presets, s: [preset] } }));
      await soon();
      other.setState(({ presets: { gone, ...presets } }) => ({ presets: { ...presets, t: gone ?? [] } }));
      await soon();
      expect(stored().presets).toEqual({ s: [preset], t: [preset] });
      await Promise.all([one.refresh(), other.refresh()]);
      expect([one, other].map((ui) => ui.getState().presets)).toEqual([
        { s: [preset], t: [preset] },
        { s: [preset], t: [preset] },
      ]);
    });

    it('takes over what all windows share, and not what that window shows', async () => {
      const { host, one, other } = await openTwo({ selectedServer: 'a' as ServerId });
      one.setState({ presets: { s: [preset] }, selectedServer: 'b' as ServerId });
      await soon();
      await other.refresh();
      expect(other.getState()).toMatchObject({ presets: { s: [preset] }, selectedServer: 'a' });
      // What was taken over is not saved.
      await soon();
      expect(saved(host)).toHaveLength(1);
    });
  });
});
