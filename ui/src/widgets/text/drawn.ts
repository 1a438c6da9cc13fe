import { type ReactElement, type ReactNode, createElement } from 'react';
import { isDrawnIcon } from '../bytes/picture';
import { shortenedWithRest } from '../../model/text/format';
import { hasHidden, partsOf, withNames } from '../../model/text/hiddenUnicode';

/**
 * What the window draws of a text, from any author: hidden characters are marked, and a text that no pane could show is
 * cut; icons that would fill the memory are left out. It holds for every element of HTML, because `jsxRuntime.ts` calls it for each, so that no panel can forget it.
 */

/** The longest text of one element, in characters; what is longer is shown in an editor (widgets/code), which has no limit. */
export const MAX_DRAWN = 20_000;
/** How many hidden characters of a text are marked; after them, their names are in the text: each mark is an element. */
const MAX_MARKS = 1_000;
/** The longest text of an attribute. */
const MAX_ATTRIBUTE = 2_000;

/** Attributes that are read by people, on the screen or by a screen reader. */
const READ = ['title', 'alt', 'placeholder', 'aria-label', 'aria-description', 'aria-valuetext', 'data-tip'];

/** Elements whose content can only be text. */
const ONLY_TEXT = new Set(['option', 'title', 'text', 'tspan', 'desc']);
/** Elements whose content is not drawn, or is what the user writes. */
const OTHER = new Set(['style', 'script', 'textarea']);

type Props = Readonly<Record<string, unknown>>;

/** The props of an element of HTML as they are drawn: the same object if nothing changes. It runs for each element. */
export function drawn(tag: string, props: Props): Props {
  let changes: Record<string, unknown> | null = null;
  if (!OTHER.has(tag)) {
    const { children } = props;
    const next = ONLY_TEXT.has(tag) ? onlyText(children) : marked(children);
    if (next !== children) changes = { children: next };
  }
  for (const name of READ) {
    const value = props[name];
    if (typeof value !== 'string') continue;
    const next = shortenedWithRest(value, MAX_ATTRIBUTE);
    if (next !== value || hasHidden(next)) (changes ??= {})[name] = withNames(next);
  }
  // The chosen value of a select.
  const { value } = props;
  if (tag === 'input' && props['readOnly'] === true && typeof value === 'string' && hasHidden(value)) {
    (changes ??= {})['value'] = withNames(value);
  }
  const { src } = props;
  if (tag === 'img' && typeof src === 'string' && !isDrawnIcon(src)) {
    changes = { ...changes, src: undefined, hidden: true };
  }
  return changes === null ? props : { ...props, ...changes };
}

function onlyText(children: unknown): unknown {
  return typeof children === 'string' ? withNames(shortenedWithRest(children, MAX_ATTRIBUTE)) : children;
}

function marked(children: unknown): unknown {
  if (typeof children === 'string') return markedText(children);
  if (!Array.isArray(children)) return children;
  let next: unknown[] = children;
  for (const [at, child] of children.entries()) {
    if (typeof child !== 'string') continue;
    const shown = markedText(child, at);
    if (shown === child) continue;
    if (next === children) next = [...(children as unknown[])];
    next[at] = shown;
  }
  return next;
}

/** A text whose hidden characters are visible. They stay in the text, so that a copy is the original. */
function markedText(text: string, at?: number): ReactNode {
  const shown = shortenedWithRest(text, MAX_DRAWN);
  if (!hasHidden(shown)) return shown;
  const parts: ReactNode[] = [];
  let marks = 0;
  let drawnTo = 0;
  for (const { text: part, hidden } of partsOf(shown)) {
    if (hidden !== null && marks === MAX_MARKS) break;
    parts.push(hidden === null ? part : mark(part, hidden, parts.length));
    if (hidden !== null) marks += 1;
    drawnTo += part.length;
  }
  if (drawnTo < shown.length) parts.push(withNames(shown.slice(drawnTo)));
  // An element of its own, so that a text among other children stays one child.
  const key = at === undefined ? undefined : `text ${at}`;
  return createElement('bdi', { key, 'data-marked': '' }, ...parts);
}

function mark(character: string, name: string, at: number): ReactElement {
  return createElement(
    'mark',
    { key: at, 'data-hidden': name, title: `A hidden character: ${name}` },
    character,
  );
}
