// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { judge, overlap } from './judge';

const COMMANDS = ['palette', 'server', 'dock', 'restart'].map((id) => ({ id }));
const RESTART = { id: 'restart' };
const of = (keys: string, chosen: Record<string, unknown> = {}) => judge(keys, RESTART, COMMANDS, chosen);

describe('new keys', () => {
  it('are refused if the browser or the system keeps them, fields need them, or they are fixed', () => {
    expect(of('Mod+W')).toEqual({ type: 'refused', reason: 'Ctrl+W closes the tab or the window.' });
    expect(of('Mod+C')).toEqual({ type: 'refused', reason: 'Ctrl+C copies text.' });
    expect(of('Mod+Enter')).toEqual({
      type: 'refused',
      reason: 'Ctrl+Enter is fixed: “Call the tool, read, get, send, or submit the form”.',
    });
    // Pressed with Shift, a bracket is a brace.
    expect(of('Mod+{')).toEqual({ type: 'refused', reason: 'Ctrl+{ is fixed: “Fold, unfold”.' });
    expect(of('Mod+}').type).toBe('refused');
    expect(of('Mod+[')).toEqual({ type: 'free' });
    for (const keys of ['ArrowUp', 'Enter', 'Escape', 'Mod+F', 'Mod+0', 'Alt+ArrowUp', 'Delete']) {
      expect(of(keys).type, keys).toBe('refused');
    }
  });

  it('name the command that has them, unless it is the same', () => {
    expect(of('Mod+K')).toEqual({ type: 'taken', by: { id: 'palette' } });
    expect(of('Mod+3')).toEqual({ type: 'taken', by: { id: 'server' } });
    expect(of('Mod+K', { palette: '' })).toEqual({ type: 'free' });
    expect(of('Mod+B', { dock: 'Mod+B' })).toEqual({ type: 'taken', by: { id: 'dock' } });
    expect(judge('Mod+K', { id: 'palette' }, COMMANDS, {})).toEqual({ type: 'free' });
  });

  it('are doubtful if they mean something in a browser, or write a character', () => {
    expect(of('Mod+P')).toEqual({
      type: 'doubtful',
      reason: 'In a browser, Ctrl+P prints. Here it would run this command instead.',
    });
    expect(of('Shift+R').type).toBe('doubtful');
    expect(of('%').type).toBe('doubtful');
    expect(of('Mod+Shift+B')).toEqual({ type: 'free' });
    expect(of('F2')).toEqual({ type: 'free' });
  });

  it('overlap a range of digits', () => {
    expect(overlap('Mod+1…9', 'Mod+4')).toBe(true);
    expect(overlap('Mod+4', 'Mod+1…9')).toBe(true);
    expect(overlap('Mod+0', 'Mod+1…9')).toBe(false);
    expect(overlap('Alt+4', 'Mod+1…9')).toBe(false);
    expect(overlap('Mod+K', null)).toBe(false);
  });
});
