import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  autocompletion,
  completionKeymap,
} from '@codemirror/autocomplete';
import { type EditorState, type Extension, Prec } from '@codemirror/state';
import { keymap } from '@codemirror/view';
import type { Path } from '../../model/text/json';
import { cursorAt } from './jsonCursor';
import { MARK_LIMIT } from './jsonMarks';

/** A name or a value that fits at a place of a JSON text. */
export interface JsonSuggestion {
  /** A name without quotes, or a value as JSON text. */
  text: string;
  /** A few words beside it. */
  detail?: string;
  /** A longer text for the selected one. */
  info?: string;
}

/** What fits at the places of a JSON text. */
export interface JsonSuggestions {
  /** The names of the members of an object. */
  names(path: Path): JsonSuggestion[];
  values(path: Path): JsonSuggestion[];
}

/** Suggests names and values while typing, and with Ctrl-Space. */
export function jsonCompletion(suggestions: () => JsonSuggestions | undefined): Extension {
  return [
    autocompletion({
      override: [(context) => complete(context, suggestions())],
      icons: false,
      defaultKeymap: false,
      // After a name, its values.
      activateOnCompletion: ({ type }) => type === 'property',
    }),
    // Before the keys of the editor: Enter accepts instead of beginning a line.
    Prec.highest(keymap.of(completionKeymap)),
  ];
}

function complete(
  context: CompletionContext,
  suggestions: JsonSuggestions | undefined,
): CompletionResult | null {
  const { state, pos, explicit } = context;
  if (suggestions === undefined || state.doc.length > MARK_LIMIT) return null;
  const cursor = cursorAt(state.sliceDoc(0, pos));
  if (cursor === null || (cursor.type === 'name' && cursor.from === pos && !explicit)) return null;
  const rest = state.sliceDoc(pos, state.doc.lineAt(pos).to);
  // The rest of a string that is edited in its middle.
  const isString = state.sliceDoc(cursor.from, cursor.from + 1) === '"';
  const to = pos + (isString ? (/^[^"\\,:{}[\]]*"/.exec(rest)?.[0].length ?? 0) : 0);
  const hasColon = /^\s*:/.test(state.sliceDoc(to, to + 20));
  const options =
    cursor.type === 'name'
      ? suggestions
          .names(cursor.path)
          .filter(({ text }) => !cursor.names.includes(text))
          .map((each) => nameOption(each, hasColon))
      : suggestions.values(cursor.path).map(valueOption);
  if (options.length === 0) return null;
  return {
    from: cursor.from,
    to,
    options,
    filter: true,
    validFor: (_text, from, _to, now) => isAt(now, from),
  };
}

/** Whether the name or value that begins at `from` is still the one being typed: the suggestions for it stay the same. */
function isAt(state: EditorState, from: number): boolean {
  return cursorAt(state.sliceDoc(0, state.selection.main.head))?.from === from;
}

function nameOption({ text, detail, info }: JsonSuggestion, hasColon: boolean): Completion {
  const quoted = JSON.stringify(text);
  return {
    label: quoted,
    displayLabel: text,
    apply: hasColon ? quoted : `${quoted}: `,
    type: 'property',
    ...(detail === undefined ? {} : { detail }),
    ...(info === undefined ? {} : { info }),
  };
}

function valueOption({ text, detail, info }: JsonSuggestion): Completion {
  return {
    label: text,
    type: 'value',
    ...(detail === undefined ? {} : { detail }),
    ...(info === undefined ? {} : { info }),
  };
}
