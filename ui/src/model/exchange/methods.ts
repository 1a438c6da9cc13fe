import type { Era } from '../../contract/generated';

/** A request that the specification defines for clients. */
interface KnownMethod {
  name: string;
  /** The eras that have it. */
  eras: readonly Era[];
  /** Params to start from: JSON text, or empty for none. */
  params: string;
}

const BOTH: readonly Era[] = ['legacy', 'modern'];
const LEGACY: readonly Era[] = ['legacy'];
const MODERN: readonly Era[] = ['modern'];

const METHODS: readonly KnownMethod[] = [
  { name: 'tools/list', eras: BOTH, params: '' },
  { name: 'tools/call', eras: BOTH, params: '{\n  "name": "",\n  "arguments": {}\n}' },
  { name: 'resources/list', eras: BOTH, params: '' },
  { name: 'resources/templates/list', eras: BOTH, params: '' },
  { name: 'resources/read', eras: BOTH, params: '{\n  "uri": ""\n}' },
  { name: 'resources/subscribe', eras: LEGACY, params: '{\n  "uri": ""\n}' },
  { name: 'resources/unsubscribe', eras: LEGACY, params: '{\n  "uri": ""\n}' },
  { name: 'prompts/list', eras: BOTH, params: '' },
  { name: 'prompts/get', eras: BOTH, params: '{\n  "name": "",\n  "arguments": {}\n}' },
  {
    name: 'completion/complete',
    eras: BOTH,
    params: '{\n  "ref": { "type": "ref/prompt", "name": "" },\n  "argument": { "name": "", "value": "" }\n}',
  },
  { name: 'logging/setLevel', eras: LEGACY, params: '{\n  "level": "info"\n}' },
  { name: 'tasks/get', eras: BOTH, params: '{\n  "taskId": ""\n}' },
  { name: 'tasks/list', eras: LEGACY, params: '' },
  { name: 'tasks/result', eras: LEGACY, params: '{\n  "taskId": ""\n}' },
  { name: 'tasks/update', eras: MODERN, params: '{\n  "taskId": "",\n  "inputResponses": {}\n}' },
  { name: 'tasks/cancel', eras: BOTH, params: '{\n  "taskId": ""\n}' },
  { name: 'ping', eras: LEGACY, params: '' },
  { name: 'server/discover', eras: MODERN, params: '' },
];

/** The methods of an era, for suggestions. */
export function methodsOf(era: Era | null): string[] {
  return METHODS.filter(({ eras }) => era === null || eras.includes(era)).map(({ name }) => name);
}

/** Params to start from; empty for a method that is not known. */
export function paramsTemplate(method: string): string {
  return METHODS.find(({ name }) => name === method)?.params ?? '';
}
