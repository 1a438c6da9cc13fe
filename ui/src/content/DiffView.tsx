import {
  Change,
  Chunk,
  MergeView,
  getChunks,
  goToNextChunk,
  goToPreviousChunk,
  unifiedMergeView,
} from '@codemirror/merge';
import { Text } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { formatCount } from '../model/text/format';
import { partsOf, withNames } from '../model/text/hiddenUnicode';
import { type CodeLanguage, viewerExtensions } from '../widgets/code/codeSetup';
import { quickDiff } from '../widgets/code/quickDiff';
import { IconButton } from '../widgets/controls/IconButton';
import classes from './DiffView.module.css';

/** Narrower than this, in px, both texts are in one column: side by side, lines would have room for few words. */
const NARROW = 560;
/** More of the text before is not shown in one column, where all that was removed is drawn at once: in lines and characters. */
const MOST_REMOVED_LINES = 1_000;
const MOST_REMOVED = 50_000;

interface DiffViewProps {
  before: string;
  after: string;
  language: CodeLanguage;
  /** Shown above the two texts. */
  titles: readonly [string, string];
}

/** What changed between two texts: side by side where there is room; unchanged lines are folded. Fills its place. */
export function DiffView({ before, after, language, titles }: DiffViewProps) {
  const isSame = before === after;
  const parent = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const [{ changes, isUnified }, setDrawn] = useState({ changes: 0, isUnified: false });
  const [section, isNarrow] = useIsNarrow();

  useEffect(() => {
    if (isSame || isNarrow === null || parent.current === null) return undefined;
    const unified = isNarrow ? drawUnified(parent.current, before, after, language) : null;
    const { shown, destroy } = unified ?? drawSplit(parent.current, before, after, language);
    view.current = shown;
    // The chunks are known only to the view.
    // oxlint-disable-next-line react/set-state-in-effect
    setDrawn({ changes: getChunks(shown.state)?.chunks.length ?? 0, isUnified: unified !== null });
    return () => {
      destroy();
      view.current = null;
    };
  }, [before, after, language, isSame, isNarrow]);

  const go = (move: (target: EditorView) => boolean): void => {
    if (view.current !== null) move(view.current);
  };
  return (
    <section ref={section} className={classes.diff} aria-label="Difference">
      <div className={classes.head}>
        <output>{isSame ? 'No difference' : formatCount(changes, 'change')}</output>
        {!isSame && (
          <>
            <IconButton icon={IconArrowUp} label="Previous change" onClick={() => go(goToPreviousChunk)} />
            <IconButton icon={IconArrowDown} label="Next change" onClick={() => go(goToNextChunk)} />
          </>
        )}
      </div>
      {!isSame && (
        <>
          <div className={classes.titles} data-narrow={isUnified || undefined}>
            {titles.map((title) => (
              <span key={title}>{title}</span>
            ))}
          </div>
          <div ref={parent} className={classes.body} />
        </>
      )}
    </section>
  );
}

interface Drawn {
  /** The editor with the text after the change. */
  shown: EditorView;
  destroy: () => void;
}

const OPTIONS = {
  gutter: false,
  collapseUnchanged: { margin: 3, minSize: 4 },
  diffConfig: { override: quickDiff },
};

function drawSplit(parent: HTMLElement, before: string, after: string, language: CodeLanguage): Drawn {
  const side = (doc: string, label: string) => ({
    doc,
    extensions: viewerExtensions(language, label, true, doc.length),
  });
  const merge = new MergeView({ parent, a: side(before, 'Before'), b: side(after, 'After'), ...OPTIONS });
  return { shown: merge.b, destroy: () => merge.destroy() };
}

/** Both texts in one column; null if more was removed than can be drawn at once. */
function drawUnified(
  parent: HTMLElement,
  before: string,
  after: string,
  language: CodeLanguage,
): Drawn | null {
  // With line breaks as an editor has them, so that places are the same.
  const [a, b] = [before, after].map((text) => text.replaceAll(/\r\n?/g, '\n')) as [string, string];
  // What was removed is not the text of an editor, which would mark hidden characters.
  const original = Text.of(withNames(a).split('\n'));
  const placeOf = placesWithNames(a);
  const changes = quickDiff(a, b).map(
    ({ fromA, toA, fromB, toB }) => new Change(placeOf(fromA), placeOf(toA), fromB, toB),
  );
  const options = { ...OPTIONS, diffConfig: { override: () => changes } };
  const chunks = Chunk.build(original, Text.of(b.split('\n')), options.diffConfig);
  let [removed, lines] = [0, 0];
  for (const { fromA, endA } of chunks) {
    if (endA <= fromA) continue;
    removed += endA - fromA;
    lines += original.lineAt(endA).number - original.lineAt(fromA).number + 1;
  }
  if (removed > MOST_REMOVED || lines > MOST_REMOVED_LINES) return null;
  const shown = new EditorView({
    parent,
    doc: b,
    extensions: [
      viewerExtensions(language, 'Before and after', true, b.length),
      unifiedMergeView({ original, mergeControls: false, ...options }),
    ],
  });
  return { shown, destroy: () => shown.destroy() };
}

/** Where a place of a text is in the text with the names of its hidden characters; for places in order. */
function placesWithNames(text: string): (at: number) => number {
  const parts = partsOf(text);
  let [index, end, longer] = [0, 0, 0];
  return (at) => {
    for (; index < parts.length; index += 1) {
      const part = parts[index];
      const next = end + (part?.text.length ?? 0);
      if (part === undefined || next > at) break;
      end = next;
      if (part.hidden !== null) longer += part.hidden.length + '‹›'.length - part.text.length;
    }
    return at + longer;
  };
}

/** Whether an element is narrower than `NARROW`; null until it is laid out. */
function useIsNarrow(): [RefObject<HTMLElement | null>, boolean | null] {
  const element = useRef<HTMLElement>(null);
  const [isNarrow, setIsNarrow] = useState<boolean | null>(null);
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return undefined;
    const measure = (): void => setIsNarrow(current.clientWidth < NARROW);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return [element, isNarrow];
}
