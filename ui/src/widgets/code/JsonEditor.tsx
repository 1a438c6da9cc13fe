import { EditorState, StateEffect } from '@codemirror/state';
import { EditorView, placeholder as placeholderExtension } from '@codemirror/view';
import { type Diagnostic, forceLinting, lintGutter, linter } from '@codemirror/lint';
import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { MAX_LIVE, parseJson } from '../../model/text/json';
import { editorExtensions } from './codeSetup';
import { type JsonSuggestions, jsonCompletion } from './jsonCompletion';
import { type JsonMark, diagnosticsOf } from './jsonMarks';
import classes from './JsonEditor.module.css';

export interface JsonEditorProps {
  /** The id of the element with the text, which texts about it refer to. */
  id?: string;
  value: string;
  onChange: (text: string) => void;
  /** The accessible name. */
  label: string;
  placeholder?: string;
  /** An empty text is valid. */
  optional?: boolean;
  /** A check that replaces the check for valid JSON. */
  check?: (text: string) => { reason: string; position: number } | null;
  autoFocus?: boolean;
  /** What is said about places of the text. */
  marks?: readonly JsonMark[];
  /** What is suggested while typing. */
  suggestions?: JsonSuggestions | undefined;
}

const NO_MARKS: readonly JsonMark[] = [];

/** Dispatched when the marks change: the text is checked again. */
const marksChanged = StateEffect.define();

function isJson(text: string): { reason: string; position: number } | null {
  const parsed = parseJson(text);
  return parsed.ok ? null : { reason: parsed.message, position: parsed.position };
}

/** Edits JSON text. `onChange` receives it exactly as typed. */
export function JsonEditor(props: JsonEditorProps) {
  const {
    id,
    value,
    onChange,
    label,
    placeholder = '',
    optional = false,
    check = isJson,
    autoFocus = false,
    marks = NO_MARKS,
    suggestions,
  } = props;
  const parent = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const changed = useEffectEvent((text: string) => onChange(text));
  const diagnose = useEffectEvent((state: EditorState): Diagnostic[] => {
    const text = state.doc.toString();
    if (text.length > MAX_LIVE || (optional && text.trim() === '')) return [];
    const problem = check(text);
    if (problem === null) return diagnosticsOf(state, marks);
    const to = Math.min(problem.position + 1, text.length);
    return [{ from: Math.max(0, to - 1), to, severity: 'error', message: problem.reason }];
  });
  const suggest = useEffectEvent(() => suggestions);
  const start = useEffectEvent(() => value);

  // Before the layout effects of what it is in: they look for it by its id.
  useLayoutEffect(() => {
    if (parent.current === null) return undefined;
    const editor = new EditorView({
      parent: parent.current,
      state: EditorState.create({
        doc: start(),
        extensions: [
          editorExtensions('json', label),
          id === undefined ? [] : EditorView.contentAttributes.of({ id }),
          placeholderExtension(placeholder),
          linter((current) => diagnose(current.state), {
            delay: 200,
            needsRefresh: ({ transactions }) =>
              transactions.some(({ effects }) => effects.some((effect) => effect.is(marksChanged))),
          }),
          lintGutter(),
          jsonCompletion(suggest),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) changed(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    if (autoFocus) editor.focus();
    return () => {
      editor.destroy();
      view.current = null;
    };
  }, [id, label, placeholder, autoFocus]);

  // In the commit that brings the value: a key that is typed after it must not be replaced by it.
  useLayoutEffect(() => {
    const editor = view.current;
    if (editor === null || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);

  useEffect(() => {
    const editor = view.current;
    if (editor === null) return;
    editor.dispatch({ effects: marksChanged.of(null) });
    forceLinting(editor);
  }, [marks]);

  return <div ref={parent} className={classes.editor} />;
}
