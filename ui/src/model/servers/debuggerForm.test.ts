import { describe, expect, it } from 'vitest';
import {
  debuggerDraftOf,
  debuggerFormOf,
  debuggerInWords,
  debuggerProblemsOf,
  emptyDebuggerForm,
} from './debuggerForm';

const node = { kind: 'node' as const, port: '9229', waits: true };

describe('debuggerForm', () => {
  it('makes of a draft the form it came from, and nothing while it is off', () => {
    expect(debuggerDraftOf(emptyDebuggerForm())).toBeUndefined();
    const draft = debuggerDraftOf(node);
    expect(draft).toEqual({ kind: 'node', port: 9229, waits: true });
    expect(debuggerFormOf(draft)).toEqual(node);
  });

  it.each(['', 'x', '80', '70000', '1e4'])('finds what is wrong with the port %j', (port) => {
    expect(debuggerProblemsOf({ ...node, port })).toHaveProperty('port');
    expect(debuggerProblemsOf({ kind: 'off', port, waits: false })).toEqual({});
    expect(debuggerDraftOf({ ...node, port })).toBeUndefined();
  });

  it('says what is set', () => {
    expect(debuggerInWords(emptyDebuggerForm())).toBe('');
    expect(debuggerInWords(node)).toBe('Node.js (--inspect), port 9229');
  });
});
