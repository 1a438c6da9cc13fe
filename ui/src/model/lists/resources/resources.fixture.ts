import type { ResourceItem } from '../../../contract/generated';

/** A well-formed resource without annotations. */
export function aResource(index: number, uri: string, change: Partial<ResourceItem> = {}): ResourceItem {
  return {
    index,
    uri,
    name: uri,
    title: null,
    description: null,
    mimeType: null,
    size: null,
    audience: [],
    priority: null,
    lastModified: null,
    icon: null,
    violations: [],
    ...change,
  };
}
