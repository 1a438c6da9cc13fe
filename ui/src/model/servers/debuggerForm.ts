import type { DebuggerDraft, DebuggerKind } from '../../contract/generated';

/** The debugger that a program is started under, as the dialog edits it. */
export interface DebuggerForm {
  kind: DebuggerKind | 'off';
  port: string;
  waits: boolean;
}

export interface DebuggerProblems {
  port?: string;
}

interface Debugger {
  kind: DebuggerForm['kind'];
  label: string;
  /** Where its editors look by default. */
  port: number;
}

const OFF: Debugger = { kind: 'off', label: 'Off', port: 9229 };

/** The choices, in order; the first is none. */
export const DEBUGGERS: readonly [Debugger, ...Debugger[]] = [
  OFF,
  { kind: 'node', label: 'Node.js (--inspect)', port: 9229 },
  { kind: 'debugpy', label: 'Python (debugpy)', port: 5678 },
  { kind: 'delve', label: 'Go (Delve)', port: 2345 },
];

export function emptyDebuggerForm(): DebuggerForm {
  return { kind: 'off', port: String(OFF.port), waits: false };
}

export function debuggerFormOf(draft: DebuggerDraft | undefined): DebuggerForm {
  if (draft === undefined) return emptyDebuggerForm();
  return { kind: draft.kind, port: String(draft.port), waits: draft.waits ?? false };
}

/** The draft of a form; undefined if it is off or its port is wrong. */
export function debuggerDraftOf(form: DebuggerForm): DebuggerDraft | undefined {
  const { kind, port, waits } = form;
  if (kind === 'off' || debuggerProblemsOf(form).port !== undefined) return undefined;
  return { kind, port: Number(port), ...(waits && { waits }) };
}

export function debuggerProblemsOf({ kind, port }: DebuggerForm): DebuggerProblems {
  const number = Number(port);
  const isPort = /^\d+$/.test(port.trim()) && number >= 1024 && number <= 65_535;
  return kind === 'off' || isPort ? {} : { port: 'Between 1024 and 65535.' };
}

/** What is set, in a few words; empty if it is off. */
export function debuggerInWords({ kind, port }: DebuggerForm): string {
  if (kind === 'off') return '';
  return `${DEBUGGERS.find((one) => one.kind === kind)?.label ?? kind}, port ${port}`;
}
