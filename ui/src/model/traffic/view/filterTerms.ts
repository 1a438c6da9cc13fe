/** A term of the filter of the log: how it begins, an example, and what it finds. */
export interface FilterTerm {
  key: string;
  example: string;
  meaning: string;
}

/** The terms that the engine reads, those used most first. */
export const FILTER_TERMS: readonly FilterTerm[] = [
  { key: 'method:', example: 'method:tools/*', meaning: 'a method; * matches anything' },
  { key: 'tool:', example: 'tool:echo', meaning: 'calls of a tool' },
  { key: 'status:', example: 'status:error,timedOut', meaning: 'how a request ended' },
  { key: 'kind:', example: 'kind:http', meaning: 'request, response, notification, http, stderr …' },
  { key: 'server:', example: 'server:everything', meaning: 'records of a server' },
  { key: 'dir:', example: 'dir:received', meaning: 'sent or received' },
  { key: 'dur>', example: 'dur>500ms', meaning: 'slower than' },
  { key: 'size>', example: 'size>10kb', meaning: 'larger than' },
  { key: 'has:', example: 'has:violation', meaning: 'records that break a rule' },
  { key: 'rule:', example: 'rule:not-json', meaning: 'records that break this rule' },
  { key: 'otherrule:', example: 'otherrule:not-json', meaning: 'records that break a rule other than this' },
  { key: 'level:', example: 'level:error', meaning: 'log messages of a level' },
  { key: 'logger:', example: 'logger:db', meaning: 'log messages of a logger' },
  { key: 'id:', example: 'id:7', meaning: 'a request id' },
  { key: 'task:', example: 'task:786512e2', meaning: 'all messages about a task' },
  { key: 'op:', example: 'op:12', meaning: 'everything that one action caused' },
  { key: 'origin:', example: 'origin:model', meaning: 'client, tap, model, doctor or import' },
  { key: 'connection:', example: 'connection:3', meaning: 'records of one connection' },
  { key: 'after:', example: 'after:1200', meaning: 'records after this number' },
];

/** The terms that the word at the end of a text may become; none unless it is the beginning of a key. */
export function termsFor(text: string, terms: readonly FilterTerm[]): readonly FilterTerm[] {
  const word = lastWord(text).replace(/^-/, '').toLowerCase();
  if (word === '') return [];
  return terms.filter(({ key }) => key.startsWith(word) && key !== word);
}

/** The text with the word at its end replaced by the beginning of a term. A word that excludes goes on excluding. */
export function withTerm(text: string, { key }: FilterTerm): string {
  const word = lastWord(text);
  return text.slice(0, text.length - word.length) + (word.startsWith('-') ? '-' : '') + key;
}

/** Empty within quotes: what is there is text. */
function lastWord(text: string): string {
  if ((text.match(/"/g)?.length ?? 0) % 2 === 1) return '';
  return /\S*$/.exec(text)?.[0] ?? '';
}
