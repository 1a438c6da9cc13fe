import {
  Decoration,
  type DecorationSet,
  type EditorView,
  MatchDecorator,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|\b(true|false|null)\b/g;

const key = Decoration.mark({ class: 'cm-json-key' });
const text = Decoration.mark({ class: 'cm-json-string' });
const number = Decoration.mark({ class: 'cm-json-number' });
const word = Decoration.mark({ class: 'cm-json-word' });

const matcher = new MatchDecorator({
  regexp: TOKEN,
  decorate: (add, from, to, match) => {
    const [, string, colon, digits] = match;
    if (string !== undefined) add(from, from + string.length, colon === undefined ? text : key);
    else add(from, to, digits === undefined ? word : number);
  },
});

/**
 * Colours for JSON of any size: only the visible part is tokenised, where a parser would read everything
 * before it. If a long line is cut within a string, its colours may be wrong.
 */
export const jsonColours = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = matcher.createDeco(view);
    }
    update(update: ViewUpdate): void {
      this.decorations = matcher.updateDeco(update, this.decorations);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);
