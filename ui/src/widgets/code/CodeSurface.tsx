import { EditorSelection, EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { findNext, getSearchQuery, openSearchPanel, searchPanelOpen } from '@codemirror/search';
import { ActionIcon, CopyButton } from '@mantine/core';
import { IconCheck, IconCopy, IconSearch, IconTextWrap } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { type CodeLanguage, WRAP_LIMIT, colour, viewerExtensions } from './codeSetup';
import { type JsonMark, marksGutter, reveal, showMarks } from './jsonMarks';
import classes from './CodeSurface.module.css';

/** How many characters are inserted at once; the rest follows in slices, so that no task blocks the window. */
const FIRST_SLICE = 32_000;
const SLICE = 128_000;

export interface CodeSurfaceProps {
  text: string;
  language: CodeLanguage;
  label: string;
  /** A number of pixels, or `fill` for the height of the parent; without it the view grows to 420 px at most. */
  height?: number | 'fill';
  /** Off for one-line snippets. */
  numbered?: boolean;
  /** What is said about places of a JSON text. The same array while nothing changes. */
  marks?: readonly JsonMark[];
  /** A place of a JSON text to scroll to; each new object is a new request. */
  revealed?: { pointer: string } | null;
}

const NO_MARKS: readonly JsonMark[] = [];

/** A read-only text of any size: renders only what is visible, can be searched (Ctrl/Cmd-F) and copied. */
export function CodeSurface({
  text,
  language,
  label,
  height,
  numbered = true,
  marks = NO_MARKS,
  revealed = null,
}: CodeSurfaceProps) {
  const parent = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const [wrap, setWrap] = useState(text.length <= WRAP_LIMIT);
  const canWrap = text.length <= WRAP_LIMIT;

  useEffect(() => {
    if (parent.current === null) return undefined;
    let shown = sliceEnd(text, FIRST_SLICE);
    const editor = new EditorView({
      parent: parent.current,
      state: EditorState.create({
        doc: text.slice(0, shown),
        extensions: [
          viewerExtensions(language, label, numbered, text.length),
          wrap && canWrap ? EditorView.lineWrapping : [],
          marks.length > 0 ? marksGutter : [],
        ],
      }),
    });
    view.current = editor;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const complete = (): void => {
      showMarks(editor, marks);
      findMissed(editor);
      // A text without colours can still be read.
      colour(editor, language).catch(() => undefined);
    };
    const append = (): void => {
      if (shown >= text.length) {
        complete();
        return;
      }
      const end = sliceEnd(text, shown + SLICE);
      editor.dispatch({ changes: { from: editor.state.doc.length, insert: text.slice(shown, end) } });
      shown = end;
      timer = setTimeout(append, 0);
    };
    timer = setTimeout(append, 0);
    return () => {
      clearTimeout(timer);
      editor.destroy();
      view.current = null;
    };
  }, [text, language, label, numbered, wrap, canWrap, marks]);

  useEffect(() => {
    if (revealed !== null && view.current !== null) reveal(view.current, revealed.pointer);
  }, [revealed]);

  const find = (): void => {
    if (view.current === null) return;
    openSearchPanel(view.current);
  };
  const selectAll = (event: React.KeyboardEvent): void => {
    // Without a cursor the browser would select only the rendered lines.
    if (!(event.ctrlKey || event.metaKey) || event.key !== 'a' || view.current === null) return;
    if (event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    view.current.dispatch({ selection: EditorSelection.range(0, view.current.state.doc.length) });
  };

  return (
    <div
      className={classes.surface}
      data-fill={height === 'fill' || undefined}
      style={typeof height === 'number' ? { height } : undefined}
      data-auto={height === undefined || undefined}
      data-bare={!numbered || undefined}
      onKeyDown={selectAll}
      role="presentation"
    >
      <div ref={parent} className={classes.editor} />
      <div className={classes.tools}>
        {canWrap && (
          <ActionIcon
            size={22}
            aria-label="Wrap lines"
            data-tip={wrap ? 'Do not wrap lines' : 'Wrap lines'}
            aria-pressed={wrap}
            data-on={wrap || undefined}
            onClick={() => setWrap(!wrap)}
          >
            <IconTextWrap size={14} />
          </ActionIcon>
        )}
        <ActionIcon size={22} aria-label={`Find in ${label}`} data-tip="Find (Ctrl/Cmd-F)" onClick={find}>
          <IconSearch size={14} />
        </ActionIcon>
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <ActionIcon
              size={22}
              aria-label={`Copy ${label}`}
              data-tip={copied ? 'Copied' : 'Copy all'}
              onClick={copy}
            >
              {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
            </ActionIcon>
          )}
        </CopyButton>
      </div>
    </div>
  );
}

/** Finds what was looked for before all of the text was there, if it was not found then. */
function findMissed(editor: EditorView): void {
  const { state } = editor;
  if (searchPanelOpen(state) && getSearchQuery(state).valid && state.selection.main.empty) findNext(editor);
}

/** Never splits CR LF or a surrogate pair. */
function sliceEnd(text: string, wanted: number): number {
  if (wanted >= text.length) return text.length;
  const before = text.charCodeAt(wanted - 1);
  return before === 0x0d || (before >= 0xd800 && before <= 0xdbff) ? wanted + 1 : wanted;
}
