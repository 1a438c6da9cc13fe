import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { jsonLanguage } from '@codemirror/lang-json';
import {
  HighlightStyle,
  bracketMatching,
  codeFolding,
  foldGutter,
  foldKeymap,
  indentOnInput,
  syntaxHighlighting,
} from '@codemirror/language';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import {
  EditorView,
  drawSelection,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { HIDDEN, nameOf } from '../../model/text/hiddenUnicode';
import { careful } from './carefulParse';
import { jsonColours } from './jsonColours';
import { type LoadedLanguage, isLoaded, loadLanguage } from './languages';

/** The language of a text. */
export type CodeLanguage = 'json' | 'plain' | LoadedLanguage;

/** Above this many characters a text is coloured but not parsed, so it cannot be folded. */
export const PARSE_LIMIT = 300_000;
/** Above this many characters long lines are not wrapped. */
export const WRAP_LIMIT = 200_000;

/** Colours come from styles/tokens.css, so that light and dark need no second theme. */
const theme = EditorView.theme({
  '&': {
    fontSize: 'var(--pb-code-size)',
    backgroundColor: 'transparent',
    color: 'var(--pb-text)',
    height: '100%',
  },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    fontFamily: 'var(--pb-mono)',
    lineHeight: 'var(--pb-code-line)',
    fontVariantLigatures: 'none',
  },
  '.cm-content': { padding: '4px 0', caretColor: 'var(--pb-text)' },
  '.cm-line': { padding: '0 8px 0 4px' },
  '.cm-cursor': { borderLeftColor: 'var(--pb-text)' },
  '.cm-gutters': {
    // Opaque, because long lines scroll beneath it.
    backgroundColor: 'var(--pb-code-ground, var(--pb-pane))',
    color: 'var(--pb-text-faint)',
    border: 'none',
    userSelect: 'none',
  },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 2px 0 8px', minWidth: '24px' },
  '.cm-foldGutter .cm-gutterElement': { padding: '0 4px', cursor: 'default' },
  '.cm-foldPlaceholder': {
    backgroundColor: 'var(--pb-sunken)',
    border: 'none',
    color: 'var(--pb-text-dim)',
    padding: '0 4px',
    borderRadius: '3px',
  },
  '.cm-activeLine': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLine': { backgroundColor: 'var(--pb-hover)' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    background: 'color-mix(in srgb, var(--pb-accent) 30%, transparent)',
  },
  '.cm-searchMatch': { backgroundColor: 'color-mix(in srgb, var(--pb-code-mark) 60%, transparent)' },
  '.cm-searchMatch-selected': { outline: '1px solid var(--pb-accent)' },
  '.cm-selectionMatch': { backgroundColor: 'var(--pb-hover)' },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--pb-accent-soft)',
    outline: 'none',
  },
  '.cm-panels': {
    backgroundColor: 'var(--pb-ground)',
    color: 'var(--pb-text)',
    fontFamily: 'var(--pb-font)',
  },
  '.cm-panels-top': { borderBottom: '1px solid var(--pb-hairline)' },
  '.cm-panel.cm-search': { padding: '4px 24px 4px 8px', fontSize: 'var(--pb-size-s)' },
  '.cm-panel.cm-search label': { fontSize: 'var(--pb-size-s)' },
  '.cm-panel.cm-search input[type=checkbox]': { verticalAlign: '-2px' },
  '.cm-panel.cm-search [name=close]': {
    fontSize: 'var(--pb-size-l)',
    padding: '0 6px',
    color: 'var(--pb-text-dim)',
  },
  '.cm-textfield': {
    backgroundColor: 'var(--pb-pane)',
    border: '1px solid var(--pb-hairline-strong)',
    borderRadius: '4px',
    fontSize: 'var(--pb-size-s)',
    color: 'var(--pb-text)',
    height: 'var(--pb-control-xs)',
    width: '180px',
  },
  '.cm-button': {
    backgroundImage: 'none',
    backgroundColor: 'var(--pb-pane)',
    border: '1px solid var(--pb-hairline-strong)',
    borderRadius: '4px',
    color: 'var(--pb-text)',
    fontSize: 'var(--pb-size-s)',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--pb-pane)',
    border: '1px solid var(--pb-hairline-strong)',
    borderRadius: '4px',
  },
  '.cm-tooltip-autocomplete.cm-tooltip > ul': { fontFamily: 'var(--pb-mono)', maxHeight: '14em' },
  '.cm-tooltip-autocomplete.cm-tooltip > ul > li': { padding: '2px 8px', lineHeight: 'var(--pb-code-line)' },
  '.cm-tooltip-autocomplete.cm-tooltip > ul > li[aria-selected]': {
    backgroundColor: 'var(--pb-accent-soft)',
    color: 'var(--pb-text)',
  },
  '.cm-completionDetail': { color: 'var(--pb-text-dim)', fontStyle: 'normal', marginLeft: '12px' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '600' },
  '.cm-tooltip.cm-completionInfo': { padding: '4px 8px', maxWidth: '320px', fontFamily: 'var(--pb-font)' },
  '.cm-json-key': { color: 'var(--pb-code-key)' },
  '.cm-json-string': { color: 'var(--pb-code-string)' },
  '.cm-json-number': { color: 'var(--pb-code-number)' },
  '.cm-json-word': { color: 'var(--pb-code-word)' },
  '.cm-placeholder': { color: 'var(--pb-text-faint)' },
});

const highlight = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--pb-code-key)' },
  { tag: tags.string, color: 'var(--pb-code-string)' },
  { tag: tags.number, color: 'var(--pb-code-number)' },
  {
    tag: [tags.bool, tags.null, tags.atom, tags.keyword, tags.operatorKeyword],
    color: 'var(--pb-code-word)',
  },
  { tag: [tags.definition(tags.variableName), tags.tagName, tags.heading], color: 'var(--pb-code-key)' },
  { tag: [tags.typeName, tags.attributeName, tags.standard(tags.name)], color: 'var(--pb-code-number)' },
  { tag: [tags.attributeValue, tags.special(tags.string), tags.inserted], color: 'var(--pb-code-string)' },
  { tag: [tags.comment, tags.meta], color: 'var(--pb-text-dim)' },
  { tag: tags.deleted, color: 'var(--pb-error)' },
  { tag: tags.invalid, color: 'var(--pb-error)', textDecoration: 'underline wavy' },
]);

/** Shows hidden characters as everywhere else (widgets/text). */
const hiddenCharacters = highlightSpecialChars({
  specialChars: new RegExp(HIDDEN, 'gu'),
  render: (code) => {
    const mark = document.createElement('mark');
    mark.dataset['hidden'] = nameOf(String.fromCodePoint(code));
    mark.title = `A hidden character: ${mark.dataset['hidden']}`;
    return mark;
  },
});

/** JSON, as every text is parsed that is not too large. */
export const json = jsonLanguage.configure({ wrap: careful });

function language(name: CodeLanguage): Extension {
  return name === 'json' ? [json, syntaxHighlighting(highlight)] : [];
}

const loaded = new Compartment();

/** Colours a text whose language has to be loaded first; resolves when it is coloured. */
export async function colour(view: EditorView, name: CodeLanguage): Promise<void> {
  if (!isLoaded(name) || view.state.doc.length > PARSE_LIMIT) return;
  const found = await loadLanguage(name);
  view.dispatch({ effects: loaded.reconfigure([found, syntaxHighlighting(highlight)]) });
}

/** The phrases of the search panel. */
const phrases = EditorState.phrases.of({
  next: 'Next',
  previous: 'Previous',
  all: 'All',
  'match case': 'Match case',
  regexp: 'Regular expression',
  'by word': 'Whole words',
});

/** Keys of CodeMirror that do something else in Patchbay: send the form (run), and answer the oldest request. */
const TAKEN: ReadonlySet<string | undefined> = new Set(['Mod-Enter', 'Mod-i']);
const textKeys = [...searchKeymap, ...defaultKeymap.filter(({ key }) => !TAKEN.has(key))];

/** The setup of a read-only text: no cursor, but focus, selection and search. */
export function viewerExtensions(
  name: CodeLanguage,
  label: string,
  numbered: boolean,
  size: number,
): Extension {
  const parsed = size <= PARSE_LIMIT;
  return [
    theme,
    parsed ? language(name) : name === 'json' ? jsonColours : [],
    loaded.of([]),
    EditorState.readOnly.of(true),
    EditorView.editable.of(false),
    EditorView.contentAttributes.of({
      tabindex: '0',
      role: 'textbox',
      'aria-readonly': 'true',
      'aria-label': label,
    }),
    numbered ? lineNumbers() : [],
    name === 'json' && parsed ? [codeFolding(), foldGutter(), keymap.of(foldKeymap)] : [],
    hiddenCharacters,
    search({ top: true }),
    phrases,
    highlightSelectionMatches({ maxMatches: 200 }),
    keymap.of(textKeys),
  ];
}

/** The setup of an editor. */
export function editorExtensions(name: CodeLanguage, label: string): Extension {
  return [
    theme,
    language(name),
    EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
    EditorView.lineWrapping,
    history(),
    drawSelection(),
    highlightActiveLine(),
    hiddenCharacters,
    bracketMatching(),
    indentOnInput(),
    search({ top: true }),
    phrases,
    keymap.of([...textKeys, ...historyKeymap, indentWithTab]),
  ];
}
