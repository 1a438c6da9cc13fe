// Which texts of the UI are in the catalogue `strings/patchbay.pot`. They are found in the code as it is written: no text is marked.
// A second language needs its name in `locales`, its catalogue, and wuchale's plugin in vite.config.ts.
import { adapter } from '@wuchale/jsx';
import { defineConfig } from 'wuchale';

/** Attributes and properties whose text is read by people. */
const READ =
  /^(aria-(label|description|valuetext)|alt|title|label|placeholder|data-tip|text|summary|description|hint|noun|next|cause|unit|children|what|name|legend)$/;
/** The names of keys and key combinations. */
const KEYS =
  /^(Arrow(Up|Down|Left|Right)|Page(Up|Down)|Enter|Escape|Home|End|Tab|Delete|Backspace|Space|Mod|Ctrl|Shift|Alt|Meta|(Mod|Ctrl|Shift|Alt)[+-].*)$/;
/** Identifiers, selectors, classes, patterns, MIME types, headers, addresses, commands, fonts. */
const CODE =
  /^[A-Z][a-z]+([A-Z]\w*)+$|^[[.#(&]|^pb-|\||^[\w-]+\/[\w+.-]+$|^[A-Z][\w-]*: |^https?:|^\S+\(.*\)$|^\w+:\w+( \w+:\w+)*$|^allow-|^npx |^underline |\b(sans-serif|monospace)$/;
/** Calls whose arguments are not shown. */
const CALLS = new Set([
  'querySelector',
  'querySelectorAll',
  'closest',
  'matches',
  'addEventListener',
  'RegExp',
  'Error',
  'TypeError',
  'includes',
  'startsWith',
  'call',
  'openStream',
  'fetch',
]);

/** Whether a text is shown to people. */
function heuristic({ msgStr, details }) {
  const text = msgStr.join(' ');
  const words = text.replaceAll(/\{\d+\}|<\/?\d+\/?>/g, '');
  if (!/\p{L}{2}/u.test(words) || details.element === 'style' || details.element === 'script') return false;
  if (details.scope === 'markup') return 'message';
  if (details.scope === 'attribute') return READ.test(details.attribute ?? '') ? 'message' : false;
  const call = (details.call ?? details.topLevelCall ?? '').split('.').at(-1);
  if (CALLS.has(call) || KEYS.test(text) || CODE.test(text)) return false;
  // A sentence, a part of one, or a label.
  return /\p{L}.*\s.*\p{L}/u.test(text) || /^\p{Lu}\p{Ll}/u.test(text) ? 'message' : false;
}

export default defineConfig({
  locales: ['en'],
  adapters: {
    main: adapter({
      variant: 'default',
      loader: 'react',
      heuristic,
      files: {
        include: 'src/**/*.{ts,tsx}',
        ignore: ['src/**/*.{test,fixture}.*', 'src/**/*.d.ts', 'src/contract/**', 'src/forms/table/**'],
      },
      localesDir: process.env.STRINGS_DIR,
    }),
  },
});
