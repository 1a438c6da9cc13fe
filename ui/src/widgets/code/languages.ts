import type { StreamParser } from '@codemirror/language';

/** The languages that are coloured, each loaded when it is first shown. Too large a text is shown plain. */

type Load = () => Promise<StreamParser<unknown>>;

const LOAD = {
  c: async () => (await import('@codemirror/legacy-modes/mode/clike')).cpp,
  csharp: async () => (await import('@codemirror/legacy-modes/mode/clike')).csharp,
  css: async () => (await import('@codemirror/legacy-modes/mode/css')).css,
  diff: async () => (await import('@codemirror/legacy-modes/mode/diff')).diff,
  go: async () => (await import('@codemirror/legacy-modes/mode/go')).go,
  html: async () => (await import('@codemirror/legacy-modes/mode/xml')).html,
  java: async () => (await import('@codemirror/legacy-modes/mode/clike')).java,
  javascript: async () => (await import('@codemirror/legacy-modes/mode/javascript')).javascript,
  python: async () => (await import('@codemirror/legacy-modes/mode/python')).python,
  ruby: async () => (await import('@codemirror/legacy-modes/mode/ruby')).ruby,
  rust: async () => (await import('@codemirror/legacy-modes/mode/rust')).rust,
  shell: async () => (await import('@codemirror/legacy-modes/mode/shell')).shell,
  sql: async () => (await import('@codemirror/legacy-modes/mode/sql')).standardSQL,
  toml: async () => (await import('@codemirror/legacy-modes/mode/toml')).toml,
  typescript: async () => (await import('@codemirror/legacy-modes/mode/javascript')).typescript,
  xml: async () => (await import('@codemirror/legacy-modes/mode/xml')).xml,
  yaml: async () => (await import('@codemirror/legacy-modes/mode/yaml')).yaml,
} satisfies Record<string, Load>;

/** A language besides JSON. */
export type LoadedLanguage = keyof typeof LOAD;

export function isLoaded(name: string): name is LoadedLanguage {
  return Object.hasOwn(LOAD, name);
}

export function loadLanguage(name: LoadedLanguage): Promise<StreamParser<unknown>> {
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
  return Object.hasOwn(NAMES, name) ? (NAMES[name] ?? null) : null;
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
