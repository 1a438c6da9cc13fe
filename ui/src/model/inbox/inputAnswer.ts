import { LosslessNumber } from 'lossless-json';
import type { InputAnswer, InputItem, InputKind } from '../../contract/generated';
import { type Json, type JsonObject, isObject, parseJson, writeJson } from '../text/json';
import { type Problem, compileCheck } from '../form/validate';

/**
 * Answers to what servers ask, as JSON text: what to start from, and what is wrong with what was written.
 * Deliberately not here: what the request says in words (inputRequest.ts).
 */

/** An answer of one click, besides the one in the editor. */
export interface QuickAnswer {
  label: string;
  /** What it means, for the tool tip. */
  meaning: string;
  answer: InputAnswer;
}

const DECLINE = '{"action":"decline"}';
const CANCEL = '{"action":"cancel"}';

/** What else can be said to a request of this kind. */
export function quickAnswers(kind: InputKind): QuickAnswer[] {
  switch (kind) {
    case 'elicitation':
      return [
        {
          label: 'Decline',
          meaning: `Answers ${DECLINE}: no, on purpose`,
          answer: { type: 'result', json: DECLINE },
        },
        {
          label: 'Cancel',
          meaning: `Answers ${CANCEL}: dismissed without a choice`,
          answer: { type: 'result', json: CANCEL },
        },
      ];
    case 'sampling':
      return [
        {
          label: 'Reject',
          meaning: 'Answers with error -1: User rejected sampling request',
          answer: { type: 'error', code: -1, message: 'User rejected sampling request' },
        },
      ];
    case 'roots':
      return [
        {
          label: 'Share none',
          meaning: 'Answers {"roots":[]}: no folder is named',
          answer: { type: 'result', json: '{"roots":[]}' },
        },
      ];
  }
}

/** Stands where a folder is to be named. */
export const ROOT_PLACEHOLDER = 'file:///path/to/folder';

/** The answer to start from. */
export function skeletonOf({ kind, paramsJson }: Pick<InputItem, 'kind' | 'paramsJson'>): string {
  switch (kind) {
    case 'elicitation': {
      const params = paramsOf(paramsJson);
      if (params['mode'] === 'url') return writeJson({ action: 'accept' });
      return writeJson({ action: 'accept', content: contentOf(params['requestedSchema']) });
    }
    case 'sampling':
      return writeJson({
        role: 'assistant',
        content: { type: 'text', text: '' },
        model: 'written-by-hand',
        stopReason: 'endTurn',
      });
    case 'roots':
      return writeJson({ roots: [{ uri: ROOT_PLACEHOLDER, name: 'folder' }] });
  }
}

/** What is wrong with an answer: `broken` cannot be sent, `problems` the server will hardly take. */
export type AnswerCheck =
  { type: 'broken'; reason: string; position: number } | { type: 'object'; problems: Problem[] };

export function checkAnswer(
  { kind, paramsJson }: Pick<InputItem, 'kind' | 'paramsJson'>,
  text: string,
): AnswerCheck {
  if (text.trim() === '') return { type: 'broken', reason: 'An answer is a JSON object', position: 0 };
  const parsed = parseJson(text);
  if (!parsed.ok) return { type: 'broken', reason: parsed.message, position: parsed.position };
  const { value } = parsed;
  if (!isObject(value)) return { type: 'broken', reason: 'An answer must be a JSON object', position: 0 };
  switch (kind) {
    case 'elicitation':
      return { type: 'object', problems: elicitationProblems(value, paramsOf(paramsJson)) };
    case 'sampling':
      return { type: 'object', problems: samplingProblems(value) };
    case 'roots':
      return { type: 'object', problems: rootsProblems(value) };
  }
}

function elicitationProblems(answer: JsonObject, params: JsonObject): Problem[] {
  const action = answer['action'];
  if (action !== 'accept' && action !== 'decline' && action !== 'cancel') {
    return [problem('/action', 'must be "accept", "decline" or "cancel"')];
  }
  const content = answer['content'];
  if (action !== 'accept') {
    return content === undefined ? [] : [problem('/content', 'is only for an answer that accepts')];
  }
  if (params['mode'] === 'url') {
    return content === undefined ? [] : [problem('/content', 'is not for an answer about a URL')];
  }
  if (!isObject(content)) return [problem('/content', 'must be an object with the fields asked for')];
  const schema = params['requestedSchema'];
  if (schema === undefined) return [];
  const found = compileCheck(schema)(content);
  if (found.type === 'notChecked') return [];
  return found.problems.map((each) => ({ ...each, pointer: `/content${each.pointer}` }));
}

function samplingProblems(answer: JsonObject): Problem[] {
  const problems: Problem[] = [];
  if (answer['role'] !== 'assistant' && answer['role'] !== 'user') {
    problems.push(problem('/role', 'must be "assistant" or "user"'));
  }
  if (typeof answer['model'] !== 'string') problems.push(problem('/model', 'must be a string'));
  const { content } = answer;
  if (!isObject(content) && !Array.isArray(content)) {
    problems.push(problem('/content', 'must be a content block or a list of them'));
  } else if (isObject(content) && content['type'] === 'text' && content['text'] === '') {
    problems.push(problem('/content/text', 'is empty'));
  }
  return problems;
}

function rootsProblems(answer: JsonObject): Problem[] {
  const { roots } = answer;
  if (!Array.isArray(roots)) return [problem('/roots', 'must be a list')];
  return roots.flatMap((root, i) => {
    const uri = isObject(root) ? root['uri'] : undefined;
    if (typeof uri !== 'string') return [problem(`/roots/${i}/uri`, 'must be a string')];
    if (!uri.startsWith('file://')) return [problem(`/roots/${i}/uri`, 'must begin with file://')];
    if (uri === ROOT_PLACEHOLDER) return [problem(`/roots/${i}/uri`, 'is a placeholder: name a folder')];
    return [];
  });
}

function problem(pointer: string, message: string): Problem {
  return { pointer, message, missing: false };
}

/** The params as an object; empty if they are none. */
export function paramsOf(paramsJson: string): JsonObject {
  const parsed = parseJson(paramsJson);
  return parsed.ok && isObject(parsed.value) ? parsed.value : {};
}

/** The defaults of a requested schema, and for what is required without one the plainest value of its type. */
function contentOf(schema: Json | undefined): JsonObject {
  const properties = isObject(schema) ? schema['properties'] : undefined;
  if (!isObject(properties)) return {};
  const names: unknown = isObject(schema) ? schema['required'] : undefined;
  const required: unknown[] = Array.isArray(names) ? names : [];
  const content: JsonObject = {};
  for (const [name, property] of Object.entries(properties)) {
    const given = isObject(property) ? property['default'] : undefined;
    if (given !== undefined && given !== null) content[name] = given as Json;
    else if (required.includes(name)) content[name] = plainest(property);
  }
  return content;
}

function plainest(property: unknown): Json {
  if (!isObject(property)) return null;
  const [choice] = choicesOf(property);
  switch (property['type']) {
    case 'array': {
      const items = isObject(property['items']) ? choicesOf(property['items']) : [];
      const least = Number(property['minItems'] ?? 0);
      return items.slice(0, Number.isFinite(least) ? least : 0);
    }
    case 'boolean':
      return false;
    case 'integer':
    case 'number':
      return numberFor(property['minimum']);
    default:
      return choice ?? '';
  }
}

function numberFor(minimum: unknown): Json {
  return minimum instanceof LosslessNumber ? minimum : new LosslessNumber('0');
}

/** What may be chosen: `enum`, or titled as `oneOf` or `anyOf` with `const`. */
function choicesOf(schema: Record<string, unknown>): Json[] {
  if (Array.isArray(schema['enum'])) return schema['enum'] as Json[];
  const titled = [schema['oneOf'], schema['anyOf']].find((list) => Array.isArray(list));
  if (!Array.isArray(titled)) return [];
  return titled.flatMap((each: unknown) =>
    isObject(each) && each['const'] !== undefined ? [each['const'] as Json] : [],
  );
}
