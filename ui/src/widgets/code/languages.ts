import { type Language, StreamLanguage, type StreamParser } from '@codemirror/language';
import { ownOf } from '../../model/store/ownOf';
import { careful } from './carefulParse';

/** The languages that are coloured, each loaded when it is first shown. Too large a text is shown plain, and so is too long a line. */

type Load = () => Promise<Language>;

/** The longest line that is coloured, in characters: what a line costs can grow with the square of its length. */
const MAX_LINE = 1_000;

/** A language that is read line by line. */
function byLine<State>(parser: StreamParser<State>): Language {
  return StreamLanguage.define({
    ...parser,
    token: (stream, state) => {
      if (stream.string.length <= MAX_LINE) return parser.token(stream, state);
      stream.skipToEnd();
      return null;
    },
  });
}

const LOAD = {
  c: async () => byLine((await import('@codemirror/legacy-modes/mode/clike')).cpp),
  csharp: async () => byLine((await import('@codemirror/legacy-modes/mode/clike')).csharp),
  css: async () => byLine((await import('@codemirror/legacy-modes/mode/css')).css),
  diff: async () => byLine((await import('@codemirror/legacy-modes/mode/diff')).diff),
  go: async () => byLine((await import('@codemirror/legacy-modes/mode/go')).go),
  html: async () => byLine((await import('@codemirror/legacy-modes/mode/xml')).html),
  java: async () => byLine((await import('@codemirror/legacy-modes/mode/clike')).java),
  javascript: async () => byLine((await import('@codemirror/legacy-modes/mode/javascript')).javascript),
  python: async () => byLine((await import('@codemirror/legacy-modes/mode/python')).python),
  ruby: async () => byLine((await import('@codemirror/legacy-modes/mode/ruby')).ruby),
  rust: async () => byLine((await import('@codemirror/legacy-modes/mode/rust')).rust),
  shell: async () => byLine((await import('@codemirror/legacy-modes/mode/shell')).shell),
  sql: async () => byLine((await import('@codemirror/legacy-modes/mode/sql')).standardSQL),
  toml: async () => byLine((await import('@codemirror/legacy-modes/mode/toml')).toml),
  typescript: async () => byLine((await import('@codemirror/legacy-modes/mode/javascript')).typescript),
  xml: async () => byLine((await import('@codemirror/legacy-modes/mode/xml')).xml),
  // The mode that reads it line by line takes seconds for 400 spaces.
  yaml: async () => (await import('@codemirror/lang-yaml')).yamlLanguage.configure({ wrap: careful }),
} satisfies Record<string, Load>;

/** A language besides JSON. */
export type LoadedLanguage = keyof typeof LOAD;

/** All of them. */
export const LANGUAGES = Object.keys(LOAD) as LoadedLanguage[];

export function isLoaded(name: string): name is LoadedLanguage {
  return Object.hasOwn(LOAD, name);
}

export function loadLanguage(name: LoadedLanguage): Promise<Language> {
  return LOAD[name]();
}

/** By the subtype of a MIME type, without `x-`, and by the extension of a file. */
const NAMES: Readonly<Record<string, LoadedLanguage>> = {
  bash: 'shell',
  c: 'c',
  'c++': 'c',
  'c++src': 'c',
  cpp: 'c',
  cs: 'csharp',
  csharp: 'csharp',
  csrc: 'c',
  css: 'css',
  diff: 'diff',
  ecmascript: 'javascript',
  go: 'go',
  h: 'c',
  htm: 'html',
  html: 'html',
  java: 'java',
  'java-source': 'java',
  javascript: 'javascript',
  js: 'javascript',
  jsx: 'javascript',
  mjs: 'javascript',
  patch: 'diff',
  py: 'python',
  python: 'python',
  rb: 'ruby',
  rs: 'rust',
  ruby: 'ruby',
  rust: 'rust',
  rustsrc: 'rust',
  'script.python': 'python',
  sh: 'shell',
  shellscript: 'shell',
  sql: 'sql',
  svg: 'xml',
  toml: 'toml',
  ts: 'typescript',
  tsx: 'typescript',
  typescript: 'typescript',
  xhtml: 'html',
  xml: 'xml',
  yaml: 'yaml',
  yml: 'yaml',
};

function named(name: string): LoadedLanguage | null {
  return ownOf(NAMES, name) ?? null;
}

/** The language of a text by its MIME type; by the extension of its URI where that says nothing. */
export function languageOf(mimeType: string | null, uri = ''): LoadedLanguage | null {
  const subtype = /^(?:text|application|image)\/(?:x-)?([^;\s]+)/i
    .exec(mimeType?.trim() ?? '')?.[1]
    ?.toLowerCase();
  if (subtype !== undefined && subtype !== 'plain' && subtype !== 'octet-stream') {
    return named(subtype) ?? named(/\+(\w+)$/.exec(subtype)?.[1] ?? '');
  }
  const extension = /\.([A-Za-z0-9+]{1,8})(?:[?#]|$)/.exec(uri)?.[1]?.toLowerCase();
  return named(extension ?? '');
}
