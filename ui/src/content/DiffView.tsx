import { MergeView, getChunks, goToNextChunk, goToPreviousChunk, unifiedMergeView } from '@codemirror/merge';
import { EditorView } from '@codemirror/view';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { formatCount } from '../model/text/format';
import { type CodeLanguage, viewerExtensions } from '../widgets/code/codeSetup';
import { quickDiff } from '../widgets/code/quickDiff';
import { IconButton } from '../widgets/controls/IconButton';
import classes from './DiffView.module.css';

/** Narrower than this, in px, both texts are in one column: side by side, lines would have room for few words. */
const NARROW = 560;

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
  const [changes, setChanges] = useState(0);
  const [section, isNarrow] = useIsNarrow();

  useEffect(() => {
    if (isSame || isNarrow === null || parent.current === null) return undefined;
    const draw = isNarrow ? drawUnified : drawSplit;
    const { shown, destroy } = draw(parent.current, before, after, language);
    view.current = shown;
    // The chunks are known only to the view.
    // oxlint-disable-next-line react/set-state-in-effect
    setChanges(getChunks(shown.state)?.chunks.length ?? 0);
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
          <div className={classes.titles} data-narrow={isNarrow === true || undefined}>
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

function drawUnified(parent: HTMLElement, before: string, after: string, language: CodeLanguage): Drawn {
  const shown = new EditorView({
    parent,
    doc: after,
    extensions: [
      viewerExtensions(language, 'Before and after', true, after.length),
      unifiedMergeView({ original: before, mergeControls: false, ...OPTIONS }),
    ],
  });
  return { shown, destroy: () => shown.destroy() };
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
