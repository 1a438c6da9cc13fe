import type { Element } from 'hast';

/** Markdown from a server as elements that are safe to show: no scripts, no styles, no HTML of its own. */
export interface MarkdownTree {
  /** The paragraphs, lists, tables … in order. */
  blocks: MarkdownBlock[];
}

export interface MarkdownBlock {
  element: Element;
  /** How many elements and texts it has; at most `MAX_BLOCK`. */
  size: number;
  /** Too large or too deep to be shown as what it is: it is its source. */
  isSource: boolean;
}

/** The most elements and texts of a block; a larger one is shown as source. */
export const MAX_BLOCK = 2_000;
