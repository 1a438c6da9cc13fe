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

/** A place in a text. */
interface Place {
  from: number;
  to: number;
}

/** Where the value of a pointer is; where its nearest parent is if it has no such member. */
export function placeOf(text: string, pointer: string): Place | null {
  return placesOf(text, [pointer])[0] ?? null;
}

/** The pointers that lead through a value: those to itself, by their numbers, and those to its members. */
interface Wanted {
  own: number[];
  members: Map<string, Wanted>;
}

/** The places of several pointers. Each value on their ways is looked through once, however many lead through it. */
function placesOf(text: string, pointers: readonly string[]): (Place | null)[] {
  const wanted: Wanted = { own: [], members: new Map() };
  pointers.forEach((pointer, at) => {
    let node = wanted;
    for (const step of fromPointer(pointer)) {
      const next = node.members.get(step) ?? { own: [], members: new Map() };
      node.members.set(step, next);
      node = next;
    }
    node.own.push(at);
  });
  const places = pointers.map((): Place | null => null);
  const place = ({ own, members }: Wanted, node: SyntaxNode, isHere: boolean): void => {
    // A text without a value has an empty node in its place.
    if (node.from !== node.to) for (const at of own) places[at] = { from: node.from, to: node.to };
    const found = isHere && members.size > 0 ? membersOf(node, text, members) : undefined;
    for (const [step, member] of members) {
      const inside = found?.get(step);
      place(member, inside ?? node, inside !== undefined);
    }
  };
  const root = jsonLanguage.parser.parse(text).topNode.firstChild;
  if (root !== null) place(wanted, root, true);
  return places;
}

/** The members of an object or array that are wanted; of several with one name, the first. */
function membersOf(
  node: SyntaxNode,
  text: string,
  wanted: ReadonlyMap<string, unknown>,
): Map<string, SyntaxNode> {
  const found = new Map<string, SyntaxNode>();
  let index = -1;
  for (let item = node.firstChild; item !== null && found.size < wanted.size; item = item.nextSibling) {
    let step: string | null = null;
    let value: SyntaxNode | null = item;
    if (node.name === 'Object' && item.name === 'Property') {
      const name = item.getChild('PropertyName');
      if (name !== null) step = nameOf(text.slice(name.from, name.to));
      value = item.lastChild;
    } else if (node.name === 'Array' && !/^[[\],]$/.test(item.name)) {
      index += 1;
      step = String(index);
    }
    if (step !== null && value !== null && wanted.has(step) && !found.has(step)) found.set(step, value);
  }
  return found;
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
  const places = placesOf(
    doc.toString(),
    marks.map(({ pointer }) => pointer),
  );
  return marks.flatMap(({ message }, at): Diagnostic[] => {
    const place = places[at];
    if (place === undefined || place === null) return [];
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
