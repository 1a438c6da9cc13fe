import type { ToolItem } from '../contract/generated/contract';

/** A well-formed tool without peculiarities. */
export function aTool(index: number, name: string, change: Partial<ToolItem> = {}): ToolItem {
  return {
    index,
    name,
    title: null,
    description: null,
    hints: { readOnly: null, destructive: null, idempotent: null, openWorld: null },
    taskSupport: null,
    hasOutputSchema: false,
    argumentCount: 0,
    callable: true,
    excluded: null,
    violations: [],
    ...change,
  };
}
