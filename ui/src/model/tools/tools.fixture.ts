import type { ToolItem, ToolListResponse } from '../../contract/generated';

/** A well-formed tool without peculiarities. */
export function aTool(index: number, name: string, change: Partial<ToolItem> = {}): ToolItem {
  return {
    index,
    name,
    title: null,
    description: null,
    icon: null,
    // Called without a question.
    hints: { readOnly: true, destructive: null, idempotent: null, openWorld: null },
    taskSupport: null,
    hasOutputSchema: false,
    app: null,
    callable: true,
    excluded: null,
    violations: [],
    ...change,
  };
}

/** A list of these tools for tests, on one page unless said otherwise. */
export function toolPage(items: ToolItem[], part: Partial<ToolListResponse> = {}): ToolListResponse {
  return {
    items,
    nextCursor: null,
    pages: 1,
    hasMore: false,
    total: items.length,
    supported: true,
    stale: null,
    freshness: null,
    violations: [],
    revision: 1,
    ...part,
  };
}
