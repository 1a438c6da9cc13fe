import { jsonLanguage } from '@codemirror/lang-json';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import type { EditorState, Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { fromPointer } from '../../model/text/json';

/** A node of the syntax tree. */
type SyntaxNode = ReturnType<typeof jsonLanguage.parser.parse>['topNode'];

/** What is said about a place in a JSON text. */
export interface JsonMark {
  /** JSON pointer. */
  pointer: string;
  message: string;
}

/** Longer texts are not marked: finding the places would block the window. In characters. */
export const MARK_LIMIT = 150_000;

/** Shows a sign beside marked lines. */
export const marksGutter: Extension = lintGutter();

/** Where the value of a pointer is; where its nearest parent is if it has no such member. */
export function placeOf(text: string, pointer: string): { from: number; to: number } | null {
  return placeIn(jsonLanguage.parser.parse(text).topNode.firstChild, text, pointer);
}

function placeIn(
  root: SyntaxNode | null,
  text: string,
  pointer: string,
): { from: number; to: number } | null {
  let node = root;
  for (const step of fromPointer(pointer)) {
    const next = node === null ? null : memberOf(node, text, step);
    if (next === null) break;
    node = next;
  }
  // A text without a value has an empty node in its place.
  return node === null || node.from === node.to ? null : { from: node.from, to: node.to };
}

function memberOf(node: SyntaxNode, text: string, step: string): SyntaxNode | null {
  if (node.name === 'Object') {
    for (const property of node.getChildren('Property')) {
      const name = property.getChild('PropertyName');
      if (name !== null && nameOf(text.slice(name.from, name.to)) === step) return property.lastChild;
    }
    return null;
  }
  if (node.name !== 'Array' || !/^\d+$/.test(step)) return null;
  let index = -1;
  for (let item = node.firstChild; item !== null; item = item.nextSibling) {
    if (!/^[[\],]$/.test(item.name)) index += 1;
    if (index === Number(step)) return item;
  }
  return null;
}

function nameOf(quoted: string): string | null {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return null;
  }
}

/** The marks at their places. */
export function diagnosticsOf({ doc }: EditorState, marks: readonly JsonMark[]): Diagnostic[] {
  if (marks.length === 0 || doc.length > MARK_LIMIT) return [];
  const text = doc.toString();
  const root = jsonLanguage.parser.parse(text).topNode.firstChild;
  return marks.flatMap(({ pointer, message }): Diagnostic[] => {
    const place = placeIn(root, text, pointer);
    if (place === null) return [];
    // Of an object, the line it begins in.
    const to = Math.min(place.to, doc.lineAt(place.from).to);
    return [{ from: place.from, to, severity: 'error', message }];
  });
}

/** Marks the places of a text that is complete. */
export function showMarks(view: EditorView, marks: readonly JsonMark[]): void {
  if (marks.length > 0) view.dispatch(setDiagnostics(view.state, diagnosticsOf(view.state, marks)));
}

/** Selects the place of a pointer and scrolls to it. */
export function reveal(view: EditorView, pointer: string): void {
  const text = view.state.doc.toString();
  if (text.length > MARK_LIMIT) return;
  const place = placeOf(text, pointer);
  if (place === null) return;
  view.dispatch({
    selection: { anchor: place.from, head: place.to },
    effects: EditorView.scrollIntoView(place.from, { y: 'center' }),
  });
  view.focus();
}
