import type { Element, Nodes as HastNodes } from 'hast';
import type { Code, Nodes, Root } from 'mdast';
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';
import { TooExpensive } from '../../background/budget';
import { MAX_BLOCK, type MarkdownBlock, type MarkdownTree } from './blocks';

/** The most elements and texts of a whole text; what exceeds them is shown as source. */
const MAX_PARTS = 20_000;
/** How deep lists, quotes and emphasis are nested at most. */
const MAX_DEPTH = 32;
/** The most characters of all texts and addresses together: an address can be referred to any number of times. */
const MAX_CHARACTERS = 1_000_000;

/** Checkboxes are controls, which a text must not have. */
const SCHEMA = {
  ...defaultSchema,
  tagNames: (defaultSchema.tagNames ?? []).filter((name) => name !== 'input'),
};

const parser = unified().use(remarkParse).use(remarkGfm).freeze();
const toElements = unified().use(remarkRehype).use(rehypeSanitize, SCHEMA).freeze();

/** Parses Markdown; runs in a worker, because a short text can take seconds. Throws `TooExpensive`, or a `RangeError` if the text is nested too deeply to be parsed at all. */
export function parseMarkdown(text: string): MarkdownTree {
  // No text of a server has this language.
  const language = crypto.randomUUID();
  const root = bounded(parser.parse(text), text, language);
  let characters = 0;
  const onText = (length: number): void => {
    characters += length;
    if (characters > MAX_CHARACTERS) throw new TooExpensive();
  };
  const elements = toElements.runSync(root);
  const blocks = elements.children.flatMap((element): MarkdownBlock[] => {
    if (element.type !== 'element') return [];
    const [code] = element.children;
    const isSource =
      code?.type === 'element' && String(code.properties['className']) === `language-${language}`;
    if (isSource) delete code.properties['className'];
    return [{ element, size: tidy(element, onText), isSource }];
  });
  return { blocks };
}

/** The same text with what is too large in it as source, in code blocks of a language. */
function bounded(root: Root, text: string, language: string): Root {
  let left = MAX_PARTS;
  const children: Root['children'] = [];
  let source: { node: Code; from: number } | undefined;
  for (const child of root.children) {
    const size = sizeOf(child);
    if (size <= MAX_BLOCK && size <= left) {
      left -= size;
      children.push(child);
      source = undefined;
      continue;
    }
    const from = source?.from ?? child.position?.start.offset ?? 0;
    const to = child.position?.end.offset ?? from;
    const value = text.slice(from, to);
    if (source === undefined) {
      source = { node: { type: 'code', lang: language, value }, from };
      children.push(source.node);
    } else {
      source.node.value = value;
    }
  }
  return { ...root, children };
}

/** How many elements a block becomes; infinite if it is nested too deeply. */
function sizeOf(block: Nodes): number {
  let size = 0;
  // Without recursion: the nesting is that of the server.
  const open: { node: Nodes; depth: number }[] = [{ node: block, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, depth } = next;
    if (depth > MAX_DEPTH) return Number.POSITIVE_INFINITY;
    // A row has as many cells as the head, whatever is written.
    size += node.type === 'table' ? node.children.length * (node.children[0]?.children.length ?? 0) * 2 : 1;
    if (size > MAX_BLOCK) return size;
    if ('children' in node) for (const child of node.children) open.push({ node: child, depth: depth + 1 });
  }
  return size;
}

/** Removes what is not shown, and counts the rest. */
function tidy(element: Element, onText: (length: number) => void): number {
  let size = 0;
  const open: HastNodes[] = [element];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    size += 1;
    delete node.position;
    delete node.data;
    if (node.type === 'text') onText(node.value.length);
    if (node.type === 'element') {
      for (const value of Object.values(node.properties)) {
        if (typeof value === 'string') onText(value.length);
      }
    }
    if ('children' in node) open.push(...node.children);
  }
  return size;
}
