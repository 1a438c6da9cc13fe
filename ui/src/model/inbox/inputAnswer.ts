import type { InputAnswer, InputItem } from '../../contract/generated';
import {
  type Json,
  type JsonObject,
  indentJson,
  isObject,
  parseJson,
  writeJson,
  writeJsonCompact,
} from '../text/json';
import type { Checked } from '../form/check/checker';
import type { Problem } from '../form/check/validate';
import { isWhole, paramsOf } from './request/params';

/**
 * Answers to requests of servers, as JSON text: the text to start from, and its problems.
 * Deliberately not here: the request in words (inputRequest.ts).
 */

/** An answer that is sent with one click. */
export interface QuickAnswer {
  label: string;
  /** What it means, for the tooltip. */
  meaning: string;
  answer: InputAnswer;
  /** It says that the user made no choice. */
  isCancel?: boolean;
}

const DECLINE = '{"action":"decline"}';
const CANCEL = '{"action":"cancel"}';

/** What an error means in a round of a request (2026-07-28), in which errors cannot be sent. */
const ENDS_CALL = 'Sends nothing: the call that needs the answer ends';

/** What of a request its answers of one click depend on. */
type Asked = Pick<InputItem, 'kind' | 'round'>;

/** The answers of one click for a request, in a round of its call or sent independently. */
export function quickAnswers({ kind, round }: Asked): QuickAnswer[] {
  switch (kind) {
    case 'elicitation':
      return [
        {
          label: 'Decline',
          meaning: `Sends ${DECLINE}: explicitly declined`,
          answer: { type: 'result', json: DECLINE },
        },
        {
          label: 'Cancel',
          meaning: `Sends ${CANCEL}: dismissed without a choice`,
          answer: { type: 'result', json: CANCEL },
          isCancel: true,
        },
      ];
    case 'sampling':
      return [
        {
          label: 'Reject',
          meaning: round !== null ? ENDS_CALL : 'Sends error -1: User rejected sampling request',
          answer: { type: 'error', code: -1, message: 'User rejected sampling request' },
        },
      ];
    case 'roots':
      return [
        {
          label: 'Share none',
          meaning: 'Sends {"roots":[]}: no folders',
          answer: { type: 'result', json: '{"roots":[]}' },
        },
      ];
  }
}

/** The answer to a request whose call is over: nobody needs another. */
export function endingAnswer(asked: Asked): QuickAnswer {
  const { kind, round } = asked;
  const cancel = quickAnswers(asked).find(({ isCancel }) => isCancel);
  if (cancel !== undefined) return { ...cancel, label: 'Answer with cancel' };
  const message = 'The call that this request belonged to has ended';
  // -1: rejected by the user. Roots have no such code.
  const code = kind === 'sampling' ? -1 : -32603;
  return {
    label: 'Answer with an error',
    meaning: round !== null ? ENDS_CALL : `Sends error ${code}: ${message}`,
    answer: { type: 'error', code, message },
  };
}

/** The text to start from. */
export function skeletonOf({
  kind,
  paramsJson,
  proposal,
}: Pick<InputItem, 'kind' | 'paramsJson' | 'proposal'>): string {
  const proposed = proposal?.resultJson ?? null;
  if (proposed !== null) return indentJson(proposed);
  switch (kind) {
    case 'elicitation': {
      const params = paramsOf(paramsJson);
      if (params['mode'] === 'url') return writeJson({ action: 'accept' });
      // Of a schema that was read in part not all defaults are known.
      const content = isWhole(paramsJson) ? defaultsOf(params['requestedSchema']) : {};
      return writeJson({ action: 'accept', content });
    }
    case 'sampling':
      return writeJson({
        role: 'assistant',
        content: { type: 'text', text: '' },
        model: 'written-by-hand',
        stopReason: 'endTurn',
      });
    case 'roots':
      return writeJson({ roots: [] });
  }
}

/** The problems of an answer: `broken` cannot be sent; the server will probably reject one with `problems`. */
export type AnswerCheck =
  | { type: 'broken'; reason: string; position: number }
  | {
      type: 'object';
      /** What is wrong whatever the server requests. */
      problems: readonly Problem[];
      /** The content of an elicitation and the schema it has to match, both JSON text; checked elsewhere (useAnswerCheck.ts). */
      content: Checked | null;
    };

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
      return { type: 'object', ...checkElicitation(value, paramsJson) };
    case 'sampling':
      return { type: 'object', problems: samplingProblems(value, () => paramsOf(paramsJson)), content: null };
    case 'roots':
      return { type: 'object', problems: rootsProblems(value), content: null };
  }
}

function checkElicitation(
  answer: JsonObject,
  paramsJson: string,
): { problems: Problem[]; content: Checked | null } {
  const params = paramsOf(paramsJson);
  const only = (...problems: Problem[]) => ({ problems, content: null });
  const action = answer['action'];
  if (action !== 'accept' && action !== 'decline' && action !== 'cancel') {
    return only(problem('/action', 'must be "accept", "decline" or "cancel"'));
  }
  const content = answer['content'];
  if (action !== 'accept') {
    return content === undefined ? only() : only(problem('/content', 'is only allowed with "accept"'));
  }
  if (params['mode'] === 'url') {
    return content === undefined ? only() : only(problem('/content', 'is not allowed for a URL'));
  }
  if (!isObject(content)) return only(problem('/content', 'must be an object with the requested fields'));
  const schema = params['requestedSchema'];
  if (schema === undefined || !isWhole(paramsJson)) return only();
  return {
    problems: [],
    content: { schemaJson: schemaText(schema), valueJson: writeJsonCompact(content) },
  };
}

/** The texts of schemas: one is written once, not with every key. */
const TEXTS = new WeakMap<object, string>();

function schemaText(schema: Json): string {
  if (!isObject(schema)) return writeJsonCompact(schema);
  const known = TEXTS.get(schema) ?? writeJsonCompact(schema);
  TEXTS.set(schema, known);
  return known;
}

function samplingProblems(answer: JsonObject, params: () => JsonObject): Problem[] {
  const problems: Problem[] = [];
  if (answer['role'] !== 'assistant' && answer['role'] !== 'user') {
    problems.push(problem('/role', 'must be "assistant" or "user"'));
  }
  if (typeof answer['model'] !== 'string') problems.push(problem('/model', 'must be a string'));
  const { stopReason, content } = answer;
  if (stopReason !== undefined && typeof stopReason !== 'string') {
    problems.push(problem('/stopReason', 'must be a string'));
  }
  if (!isObject(content) && !Array.isArray(content)) {
    problems.push(problem('/content', 'must be a content block or an array of content blocks'));
    return problems;
  }
  const blocks: [pointer: string, block: Json][] = Array.isArray(content)
    ? content.map((block, at) => [`/content/${at}`, block])
    : [['/content', content]];
  return [...problems, ...blocks.flatMap(([pointer, block]) => blockProblems(pointer, block, params))];
}

function blockProblems(pointer: string, block: Json, params: () => JsonObject): Problem[] {
  if (!isObject(block)) return [problem(pointer, 'must be a content block')];
  const type = typeof block['type'] === 'string' ? block['type'] : '';
  switch (type) {
    case 'text':
      if (typeof block['text'] !== 'string') return [problem(`${pointer}/text`, 'must be a string')];
      return block['text'] === '' ? [{ ...problem(`${pointer}/text`, 'is empty'), missing: true }] : [];
    case 'image':
    case 'audio':
      return ['data', 'mimeType']
        .filter((name) => typeof block[name] !== 'string')
        .map((name) => problem(`${pointer}/${name}`, 'must be a string'));
    case 'tool_use': {
      const { tools } = params();
      const known = (Array.isArray(tools) ? tools : []).map((tool) =>
        isObject(tool) ? tool['name'] : undefined,
      );
      return [
        ...(typeof block['id'] === 'string' && block['id'] !== ''
          ? []
          : [problem(`${pointer}/id`, 'must be a non-empty string')]),
        ...(known.includes(block['name'])
          ? []
          : [problem(`${pointer}/name`, 'is not one of the tools of the request')]),
        ...(isObject(block['input']) ? [] : [problem(`${pointer}/input`, 'must be an object')]),
      ];
    }
    case 'tool_result':
      return [];
    default:
      return [problem(`${pointer}/type`, 'is not a content type defined by the specification')];
  }
}

function rootsProblems(answer: JsonObject): Problem[] {
  const { roots } = answer;
  if (!Array.isArray(roots)) return [problem('/roots', 'must be an array')];
  return roots.flatMap((root, i) => {
    const uri = isObject(root) ? root['uri'] : undefined;
    if (typeof uri !== 'string') return [problem(`/roots/${i}/uri`, 'must be a string')];
    if (!uri.startsWith('file://')) return [problem(`/roots/${i}/uri`, 'must begin with file://')];
    return [];
  });
}

function problem(pointer: string, message: string): Problem {
  return { pointer, message, missing: false };
}

/** The defaults of a requested schema. What is required without a default is left to the user. */
function defaultsOf(schema: Json | undefined): JsonObject {
  const properties = isObject(schema) ? schema['properties'] : undefined;
  if (!isObject(properties)) return {};
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) => {
      const preset = isObject(property) ? property['default'] : undefined;
      return preset === undefined || preset === null ? [] : [[name, preset]];
    }),
  );
}
