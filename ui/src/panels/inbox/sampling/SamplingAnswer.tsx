import { Autocomplete, Textarea, TextInput } from '@mantine/core';
import { type Json, isObject, parseJson, writeJson } from '../../../model/text/json';
import { CodeText } from '../../../widgets/code/CodeView';
import classes from './Sampling.module.css';

const STOP_REASONS = ['endTurn', 'stopSequence', 'maxTokens', 'toolUse'];
/** Answers with more blocks are edited as JSON. */
const MOST_BLOCKS = 50;

/** The parts of an answer that fields can edit; null if it is not such an answer. */
export function fieldsOf(text: string): { answer: Record<string, Json>; blocks: Json[] } | null {
  const parsed = parseJson(text);
  if (!parsed.ok || !isObject(parsed.value)) return null;
  const answer = parsed.value as Record<string, Json>;
  const { content } = answer;
  const blocks = Array.isArray(content) ? content : content === undefined ? [] : [content];
  return blocks.length > 0 && blocks.length <= MOST_BLOCKS && blocks.every(isObject)
    ? { answer, blocks }
    : null;
}

interface SamplingAnswerProps {
  /** The whole answer as JSON text, with `fieldsOf`. */
  text: string;
  onText: (text: string) => void;
}

/** The answer to a sampling request as fields: its texts, the model and the stop reason. */
export function SamplingAnswer({ text, onText }: SamplingAnswerProps) {
  const fields = fieldsOf(text);
  if (fields === null) return null;
  const { answer, blocks } = fields;
  const put = (name: string, value: Json): void => onText(writeJson({ ...answer, [name]: value }));
  const putBlock = (at: number, block: Json): void => {
    const next = blocks.map((each, i) => (i === at ? block : each));
    put('content', Array.isArray(answer['content']) ? next : (next[0] ?? null));
  };
  return (
    <div className={classes.fields}>
      {blocks.map((block, at) => (
        // Blocks have no identity other than their position.
        // oxlint-disable-next-line react/no-array-index-key
        <Block key={at} block={block} onBlock={(next) => putBlock(at, next)} />
      ))}
      <div className={classes.row}>
        <TextInput
          size="xs"
          label="Model"
          flex={1}
          value={stringOf(answer['model'])}
          onChange={(event) => put('model', event.currentTarget.value)}
        />
        <Autocomplete
          size="xs"
          label="Stop reason"
          flex={1}
          data={STOP_REASONS}
          value={stringOf(answer['stopReason'])}
          onChange={(next) => put('stopReason', next)}
        />
      </div>
    </div>
  );
}

function Block({ block, onBlock }: { block: Json; onBlock: (block: Json) => void }) {
  if (!isObject(block)) return null;
  const known = block as Record<string, Json>;
  if (known['type'] === 'text') {
    return (
      <Textarea
        size="xs"
        label="Text"
        autosize
        minRows={3}
        maxRows={16}
        value={stringOf(known['text'])}
        onChange={(event) => onBlock({ ...known, text: event.currentTarget.value })}
      />
    );
  }
  const title =
    known['type'] === 'tool_use' ? `Calls ${stringOf(known['name'])}` : stringOf(known['type'] ?? 'block');
  return (
    <div>
      <p className={classes.label}>{title} (edit it as JSON)</p>
      <CodeText
        text={writeJson(known['input'] ?? known)}
        language="json"
        height={96}
        label={title}
        numbered={false}
      />
    </div>
  );
}

function stringOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
