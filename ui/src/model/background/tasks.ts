import { type Check, type Validation, compileCheck } from '../form/check/validate';
import { type FormFindings, findingsOf } from '../inbox/elicitation/formRequest';
import { type Excerpt, type RequestEdit, editedText, excerptOf } from '../inbox/request/excerpt';
import { type Frontmatter, parseFrontmatter } from '../text/frontmatter';
import { indentJson, isObject, parseJson } from '../text/json';
import type { MarkdownTree } from '../text/markdown/blocks';
import { parseMarkdown } from '../text/markdown/tree';
import { TooExpensive } from './budget';
import type { Outcome } from './background';

/** What a worker does. All of it is text in and plain data out. */
export type Task =
  /** Checks a value against a schema; both are JSON text. */
  | { type: 'check'; schemaJson: string; valueJson: string }
  /** Parses Markdown and makes it safe to show. */
  | { type: 'markdown'; text: string }
  /** Parses the YAML at the beginning of a Markdown text. */
  | { type: 'frontmatter'; yaml: string }
  /** Indents JSON text. */
  | { type: 'indent'; json: string }
  /** Reads what can be shown of a request. */
  | { type: 'excerpt'; json: string; from: number; count: number }
  /** Edits the text of a request. */
  | { type: 'edit'; json: string; edit: RequestEdit }
  /** Looks for what to warn of in a request for a form. */
  | { type: 'findings'; json: string };

interface Answers {
  check: Validation;
  markdown: MarkdownTree;
  frontmatter: Frontmatter;
  indent: string;
  excerpt: Excerpt;
  edit: string;
  findings: FormFindings;
}

export type Answer<T extends Task> = Answers[T['type']];

/** Runs a task. Never throws. */
export function runTask(task: Task): Outcome<Task> {
  try {
    return { type: 'done', value: answer(task) };
  } catch (thrown) {
    // A stack that is too small for the task is the same to the user as a time that is too short.
    if (thrown instanceof TooExpensive || thrown instanceof RangeError) return { type: 'tooExpensive' };
    return { type: 'failed', reason: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}

function answer(task: Task): Answer<Task> {
  switch (task.type) {
    case 'check':
      return check(task);
    case 'markdown':
      return parseMarkdown(task.text);
    case 'frontmatter':
      return parseFrontmatter(task.yaml);
    case 'indent':
      return indentJson(task.json);
    case 'excerpt':
      return excerptOf(task.json, task.from, task.count);
    case 'edit':
      return editedText(task.json, task.edit);
    case 'findings': {
      const params = parseJson(task.json);
      return findingsOf(params.ok && isObject(params.value) ? params.value : {});
    }
  }
}

/** The checks of the latest schemas, by their text. */
const checks = new Map<string, Check>();
const MAX_CHECKS = 8;

function check({ schemaJson, valueJson }: Extract<Task, { type: 'check' }>): Validation {
  const value = parseJson(valueJson);
  if (!value.ok) return { type: 'notChecked', reason: `The value is not JSON: ${value.message}` };
  let known = checks.get(schemaJson);
  if (known === undefined) {
    const schema = parseJson(schemaJson);
    if (!schema.ok) return { type: 'notChecked', reason: `The schema is not valid JSON: ${schema.message}` };
    known = compileCheck(schema.value);
    const [oldest] = checks.keys();
    if (checks.size >= MAX_CHECKS && oldest !== undefined) checks.delete(oldest);
    checks.set(schemaJson, known);
  }
  return known(value.value);
}
