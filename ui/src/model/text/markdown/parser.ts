import type { Background } from '../../background/background';
import type { Frontmatter } from '../frontmatter';
import type { MarkdownTree } from './blocks';

/** How long a text may take, in ms. */
const LIMIT_MS = 5_000;
/** How many texts are remembered. */
const REMEMBERED = 30;

/** Longer texts are not shown as Markdown, in characters. */
export const MARKDOWN_LIMIT = 100_000;

/** A text as Markdown, or why it is not. */
export type ParsedMarkdown =
  | ({ type: 'tree' } & MarkdownTree)
  /** It is longer than `MARKDOWN_LIMIT`, or parsing it was stopped. */
  | { type: 'tooExpensive' }
  /** Why, without a full stop. */
  | { type: 'failed'; reason: string };

/** Parses Markdown of servers, in the background. */
export interface MarkdownParser {
  /** The result for a text, if it is known already. */
  known(text: string): ParsedMarkdown | undefined;
  /** Never rejects; stays pending if `signal` is aborted before it began. */
  parse(text: string, signal?: AbortSignal): Promise<ParsedMarkdown>;
  /** The YAML at the beginning of a text. As `parse`. */
  frontmatter(yaml: string, signal?: AbortSignal): Promise<Frontmatter>;
}

export function createMarkdownParser(background: Background): MarkdownParser {
  const results = new Map<string, ParsedMarkdown>();

  async function parse(text: string, signal?: AbortSignal): Promise<ParsedMarkdown> {
    const found = results.get(text);
    if (found !== undefined) return found;
    if (text.length > MARKDOWN_LIMIT) return { type: 'tooExpensive' };
    const outcome = await background.run({ type: 'markdown', text }, LIMIT_MS, signal);
    if (outcome.type === 'failed') return outcome;
    const parsed: ParsedMarkdown = outcome.type === 'done' ? { type: 'tree', ...outcome.value } : outcome;
    const [oldest] = results.keys();
    if (results.size >= REMEMBERED && oldest !== undefined) results.delete(oldest);
    results.set(text, parsed);
    return parsed;
  }

  async function frontmatter(yaml: string, signal?: AbortSignal): Promise<Frontmatter> {
    const outcome = await background.run({ type: 'frontmatter', yaml }, LIMIT_MS, signal);
    switch (outcome.type) {
      case 'done':
        return outcome.value;
      case 'tooExpensive':
        return { type: 'notRead', message: 'it takes too long.' };
      case 'failed':
        return { type: 'notRead', message: `${outcome.reason}.` };
    }
  }

  return { known: (text) => results.get(text), parse, frontmatter };
}
