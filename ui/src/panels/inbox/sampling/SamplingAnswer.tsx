import { Autocomplete, Button, Menu, Textarea, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useMemo } from 'react';
import { SchemaForm } from '../../../forms/SchemaForm';
import { prepareSchema } from '../../../model/form/schema';
import type { SampledTool } from '../../../model/inbox/sampling/conversation';
import { type Json, type JsonObject, isObject, parseJson, writeJson } from '../../../model/text/json';
import { formatSize } from '../../../model/text/format';
import { CodeText } from '../../../widgets/code/CodeView';
import { IconButton } from '../../../widgets/controls/IconButton';
import classes from './Sampling.module.css';

const STOP_REASONS = ['endTurn', 'stopSequence', 'maxTokens', 'toolUse'];
/** Answers with more blocks are edited as JSON. */
const MOST_BLOCKS = 50;
/** A longer text is edited as JSON: a text field would freeze. */
const MOST_TEXT = 50_000;
/** More tools are not offered. */
const OFFERED_TOOLS = 50;

/** The parts of an answer that fields can edit; null if it is not such an answer. */
export function fieldsOf(text: string): { answer: JsonObject; blocks: JsonObject[] } | null {
  const parsed = parseJson(text);
  if (!parsed.ok || !isObject(parsed.value)) return null;
  const answer = parsed.value;
  const { content } = answer;
  const blocks: Json[] = Array.isArray(content) ? content : content === undefined ? [] : [content];
  const known = blocks.filter((block): block is JsonObject => isObject(block));
  return known.length > 0 && known.length <= MOST_BLOCKS && known.length === blocks.length
    ? { answer, blocks: known }
    : null;
}

interface SamplingAnswerProps {
  /** The whole answer as JSON text, with `fieldsOf`. */
  text: string;
  /** What the model may call. */
  tools: SampledTool[];
  onText: (text: string) => void;
}

/** The answer to a sampling request as fields: its texts, calls of tools, the model and the stop reason. */
export function SamplingAnswer({ text, tools, onText }: SamplingAnswerProps) {
  const fields = fieldsOf(text);
  if (fields === null) return null;
  const { answer, blocks } = fields;
  const put = (name: string, value: Json): void => onText(writeJson({ ...answer, [name]: value }));
  const putBlocks = (next: JsonObject[], more: JsonObject = {}): void => {
    const [first] = next;
    // One block stays what it was: a block, or a list of one.
    const content =
      next.length === 1 && first !== undefined && !Array.isArray(answer['content']) ? first : next;
    onText(writeJson({ ...answer, ...more, content }));
  };
  const call = (tool: string): void => {
    const block = { type: 'tool_use', id: `call-${blocks.length + 1}`, name: tool, input: {} };
    const isEmpty = blocks.length === 1 && blocks[0]?.['text'] === '';
    putBlocks(isEmpty ? [block] : [...blocks, block], { stopReason: 'toolUse' });
  };
  return (
    <div className={classes.fields}>
      {blocks.map((block, at) => (
        // Blocks have no identity other than their position.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={at} className={classes.block}>
          <Block block={block} tools={tools} onBlock={(next) => putBlocks(blocks.with(at, next))} />
          {blocks.length > 1 && (
            <IconButton
              icon={IconTrash}
              label={`Remove block ${at + 1}`}
              size={22}
              onClick={() => putBlocks(blocks.toSpliced(at, 1))}
            />
          )}
        </div>
      ))}
      <Menu position="bottom-start">
        <Menu.Target>
          <Button
            variant="subtle"
            color="gray"
            size="compact-xs"
            leftSection={<IconPlus size={14} />}
            style={{ alignSelf: 'flex-start' }}
          >
            Add block
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => putBlocks([...blocks, { type: 'text', text: '' }])}>Text</Menu.Item>
          {namesOf(tools)
            .slice(0, OFFERED_TOOLS)
            .map((name) => (
              <Menu.Item key={name} onClick={() => call(name)}>
                Call {name}
              </Menu.Item>
            ))}
        </Menu.Dropdown>
      </Menu>
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

interface BlockProps {
  block: JsonObject;
  tools: SampledTool[];
  onBlock: (block: JsonObject) => void;
}

function Block({ block, tools, onBlock }: BlockProps) {
  const { type, text } = block;
  if (type === 'text' && typeof text === 'string' && text.length > MOST_TEXT) {
    return (
      <div>
        <p className={classes.label}>Text of {formatSize(text.length)}: edit it as JSON</p>
        <CodeText text={text} language="plain" height={160} label="Text" numbered={false} />
      </div>
    );
  }
  if (type === 'text') {
    return (
      <Textarea
        size="xs"
        label="Text"
        autosize
        minRows={3}
        maxRows={16}
        value={stringOf(text)}
        onChange={(event) => onBlock({ ...block, text: event.currentTarget.value })}
      />
    );
  }
  if (type === 'tool_use') return <ToolCall block={block} tools={tools} onBlock={onBlock} />;
  const title = stringOf(type) || 'Block';
  return (
    <div>
      <p className={classes.label}>{title} (edit it as JSON)</p>
      <CodeText
        text={writeJson(block).slice(0, MOST_TEXT)}
        language="json"
        height={96}
        label={title}
        numbered={false}
      />
    </div>
  );
}

/** A call of a tool that the server offers: its id, and its input by the schema of the tool. */
function ToolCall({ block, tools, onBlock }: BlockProps) {
  const name = stringOf(block['name']);
  const schema = tools.find((tool) => tool.name === name)?.inputSchema;
  const form = useMemo(() => prepareSchema(schema === undefined ? null : writeJson(schema)), [schema]);
  const { input } = block;
  return (
    <div className={classes.call} role="group" aria-label={`Call to ${name}`}>
      <div className={classes.row}>
        <Autocomplete
          size="xs"
          label="Tool"
          flex={1}
          data={namesOf(tools)}
          value={name}
          onChange={(next) => onBlock({ ...block, name: next })}
        />
        <TextInput
          size="xs"
          label="Call ID"
          flex={1}
          value={stringOf(block['id'])}
          onChange={(event) => onBlock({ ...block, id: event.currentTarget.value })}
        />
      </div>
      {form.type === 'form' && isObject(input) ? (
        <SchemaForm
          schema={form.schema}
          value={input}
          problems={[]}
          label={`Input of ${name}`}
          onText={(next) => {
            const parsed = parseJson(next);
            if (parsed.ok) onBlock({ ...block, input: parsed.value });
          }}
        />
      ) : (
        <CodeText
          text={writeJson(input ?? {})}
          language="json"
          height={96}
          label={`Input of ${name}`}
          numbered={false}
        />
      )}
    </div>
  );
}

/** The names, each once: a server may list two tools of one name. */
function namesOf(tools: SampledTool[]): string[] {
  return [...new Set(tools.map(({ name }) => name))];
}

function stringOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
