import { type Json, type JsonObject, writeJson } from '../text/json';
import { ownOf } from '../store/ownOf';

/** The params of the requests that the specification defines for clients, as schemas for forms. */

const text = (description: string, more: JsonObject = {}): JsonObject => ({
  type: 'string',
  description,
  ...more,
});
const object = (description: string, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  description,
  ...more,
});

const params = (properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  type: 'object',
  properties,
  required: [...required],
});

const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];
const CURSOR: JsonObject = { cursor: text('`nextCursor` of the page before; omit it for the first page.') };
const URI: JsonObject = { uri: text('The URI of the resource, exactly as the server gave it.') };
const TASK: JsonObject = { taskId: text('The ID that the server returned when it created the task.') };
const TEXTS: JsonObject = { additionalProperties: { type: 'string' } };

const REFERENCE: Json = {
  description: 'The prompt or the resource template whose argument is completed.',
  oneOf: [
    {
      title: 'Prompt',
      ...params({ type: { const: 'ref/prompt' }, name: text('The name of the prompt.') }, ['type', 'name']),
    },
    {
      title: 'Resource template',
      ...params({ type: { const: 'ref/resource' }, uri: text('The URI template.') }, ['type', 'uri']),
    },
  ],
};

const SCHEMAS: Readonly<Record<string, JsonObject>> = {
  'tools/list': params(CURSOR),
  'tools/call': params(
    { name: text('The name of the tool.'), arguments: object('The arguments of the tool, by name.') },
    ['name'],
  ),
  'resources/list': params(CURSOR),
  'resources/templates/list': params(CURSOR),
  'resources/read': params(URI, ['uri']),
  'resources/subscribe': params(URI, ['uri']),
  'resources/unsubscribe': params(URI, ['uri']),
  'prompts/list': params(CURSOR),
  'prompts/get': params(
    {
      name: text('The name of the prompt.'),
      arguments: object('The arguments of the prompt, by name.', TEXTS),
    },
    ['name'],
  ),
  'completion/complete': params(
    {
      ref: REFERENCE,
      argument: object('The argument.', {
        properties: {
          name: text('Its name.'),
          value: text('What has been typed so far.'),
        },
        required: ['name', 'value'],
      }),
      context: object('Arguments that already have a value.', {
        properties: { arguments: object('Their values, by name.', TEXTS) },
      }),
    },
    ['ref', 'argument'],
  ),
  'logging/setLevel': params(
    { level: text('The least severe level that the server should send.', { enum: LEVELS }) },
    ['level'],
  ),
  'tasks/get': params(TASK, ['taskId']),
  'tasks/list': params(CURSOR),
  'tasks/result': params(TASK, ['taskId']),
  'tasks/update': params(
    { ...TASK, inputResponses: object('The answers to the requests of the task, by key.') },
    ['taskId', 'inputResponses'],
  ),
  'tasks/cancel': params(TASK, ['taskId']),
};

/** The schema of a method's params as JSON text; null for a method without params, or one that is not known. */
export function paramsSchemaOf(method: string): string | null {
  const schema = ownOf(SCHEMAS, method);
  return schema === undefined ? null : writeJson(schema);
}
