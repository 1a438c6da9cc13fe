import { MergeView, getChunks, goToNextChunk, goToPreviousChunk } from '@codemirror/merge';
import type { EditorView } from '@codemirror/view';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { formatCount } from '../model/text/format';
import { type CodeLanguage, viewerExtensions } from '../widgets/code/codeSetup';
import { IconButton } from '../widgets/controls/IconButton';
import classes from './DiffView.module.css';

/** After this time the rest is compared roughly, in ms: a task must not block the window. */
const TIMEOUT_MS = 20;

interface DiffViewProps {
  before: string;
  after: string;
  language: CodeLanguage;
  /** Shown above the two texts. */
  titles: readonly [string, string];
}

/** What changed between two texts, side by side; unchanged lines are folded. Fills its place. */
export function DiffView({ before, after, language, titles }: DiffViewProps) {
  const isSame = before === after;
  const parent = useRef<HTMLDivElement>(null);
  const view = useRef<MergeView | null>(null);
  const [changes, setChanges] = useState(0);

  useEffect(() => {
    if (isSame || parent.current === null) return undefined;
    const side = (doc: string, label: string) => ({
      doc,
      extensions: viewerExtensions(language, label, true, doc.length),
    });
    const merge = new MergeView({
      parent: parent.current,
      a: side(before, 'Before'),
      b: side(after, 'After'),
      gutter: false,
      collapseUnchanged: { margin: 3, minSize: 4 },
      diffConfig: { scanLimit: 500, timeout: TIMEOUT_MS },
    });
    view.current = merge;
    // The chunks are known only to the view.
    // oxlint-disable-next-line react/set-state-in-effect
    setChanges(getChunks(merge.b.state)?.chunks.length ?? 0);
    return () => {
      merge.destroy();
      view.current = null;
    };
  }, [before, after, language, isSame]);

  const go = (move: (target: EditorView) => boolean): void => {
    if (view.current !== null) move(view.current.b);
  };
  return (
    <section className={classes.diff} aria-label="Difference">
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
          <div className={classes.titles}>
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
