import { Button, Textarea, TextInput } from '@mantine/core';
import { IconCheck, IconPencil, IconTrash } from '@tabler/icons-react';
import { isLosslessNumber } from 'lossless-json';
import { useMemo, useState } from 'react';
import { samplingFacts } from '../../../model/inbox/inputRequest';
import {
  type Conversation,
  type SampledTurn,
  conversationOf,
  withParam,
  withTurnText,
  withoutTurn,
} from '../../../model/inbox/sampling/conversation';
import { formatCount } from '../../../model/text/format';
import { type JsonObject, parseJson } from '../../../model/text/json';
import { focused } from '../../../widgets/layout/focused';
import { IconButton } from '../../../widgets/controls/IconButton';
import { DeprecatedNote } from '../../../widgets/links/DeprecatedNote';
import dialog from '../InputDialog.module.css';
import classes from './Conversation.module.css';
import { SampledBlockView } from './SampledBlockView';

/** How many messages are shown at once, from the end. */
const SHOWN = 8;

interface SamplingConversationProps {
  params: JsonObject;
  /** The params as JSON text. */
  text: string;
  /** Receives the edited request; undefined if it cannot be edited. */
  onText: ((text: string) => void) | undefined;
}

/** A sampling request to read: settings, system prompt, messages and tools. Texts and limits can be edited in place. */
export function SamplingConversation({ params, text, onText }: SamplingConversationProps) {
  const conversation = useMemo(() => conversationOf(params), [params]);
  const [shown, setShown] = useState(SHOWN);
  const { system, turns } = conversation;
  const earlier = Math.max(0, turns.length - shown);
  const put = (name: string, value: string | undefined): void => onText?.(withParam(text, name, value));
  return (
    <div className={`${classes.conversation} pb-selectable`} data-request>
      <Facts params={params} conversation={conversation} />
      {onText !== undefined && <Limits params={params} text={text} onText={onText} />}
      <Turn
        from="system"
        isEmpty={system === null}
        text={system ?? ''}
        onText={
          onText === undefined ? undefined : (next) => put('systemPrompt', next === '' ? undefined : next)
        }
      >
        {system === null ? (
          <p className={classes.dim}>No system prompt</p>
        ) : (
          <SampledBlockView block={{ type: 'text', text: system }} />
        )}
      </Turn>
      {turns.length === 0 && <p className={classes.dim}>No messages</p>}
      {earlier > 0 && (
        <Button variant="subtle" color="gray" size="compact-xs" onClick={() => setShown(shown + 50)}>
          Show {formatCount(earlier, 'earlier message')}
        </Button>
      )}
      {turns.slice(earlier).map((turn, at) => (
        // Messages have no identity other than their position.
        // oxlint-disable-next-line react/no-array-index-key
        <Message key={earlier + at} turn={turn} at={earlier + at} text={text} onText={onText} />
      ))}
    </div>
  );
}

function Facts({ params, conversation }: { params: JsonObject; conversation: Conversation }) {
  const facts = useMemo(() => samplingFacts(params), [params]);
  const { tools, toolRounds } = conversation;
  const context = params['includeContext'];
  return (
    <>
      {(facts.length > 0 || toolRounds > 0) && (
        <dl className={dialog.facts}>
          {toolRounds > 0 && (
            <div className={dialog.fact}>
              <dt>Tool loop</dt>
              <dd>
                step {toolRounds + 1}: the server called the tools and sends{' '}
                {formatCount(toolRounds, 'round of results', 'rounds of results')}
              </dd>
            </div>
          )}
          {facts.map(({ name, value }) => (
            <div key={name} className={dialog.fact}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {(context === 'thisServer' || context === 'allServers') && (
        <>
          <p className={classes.dim}>
            Patchbay adds no context of servers to the request: it does not declare sampling.context.
          </p>
          <DeprecatedNote feature="includeContext" />
        </>
      )}
      {tools.length > 0 && (
        <details className={classes.tools}>
          <summary>{formatCount(tools.length, 'tool')} the model may call</summary>
          <dl>
            {tools.map(({ name, description }) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{description.slice(0, 600)}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </>
  );
}

/** The limits of the answer, as text: numbers keep what is typed. */
function Limits({
  params,
  text,
  onText,
}: {
  params: JsonObject;
  text: string;
  onText: (text: string) => void;
}) {
  return (
    <div className={classes.settings}>
      {(['maxTokens', 'temperature'] as const).map((name) => {
        const value = params[name];
        return (
          <NumberField
            key={`${name} ${isLosslessNumber(value) ? value.value : ''}`}
            label={name === 'maxTokens' ? 'Max tokens' : 'Temperature'}
            value={isLosslessNumber(value) ? value.value : ''}
            onValue={(next) => {
              const parsed = parseJson(next);
              if (next === '') onText(withParam(text, name, undefined));
              else if (parsed.ok && isLosslessNumber(parsed.value))
                onText(withParam(text, name, parsed.value));
            }}
          />
        );
      })}
    </div>
  );
}

function NumberField(props: { label: string; value: string; onValue: (value: string) => void }) {
  const { label, value, onValue } = props;
  const [text, setText] = useState(value);
  const isNumber = text === '' || /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text);
  return (
    <TextInput
      size="xs"
      className={classes.setting}
      label={label}
      placeholder="Not set"
      value={text}
      error={isNumber ? undefined : 'Not a number'}
      onChange={(event) => setText(event.currentTarget.value.trim())}
      onBlur={() => isNumber && text !== value && onValue(text)}
    />
  );
}

interface MessageProps {
  turn: SampledTurn;
  at: number;
  text: string;
  onText: ((text: string) => void) | undefined;
}

function Message({ turn, at, text, onText }: MessageProps) {
  return (
    <>
      {turn.blocks.map((block, index) => (
        <Turn
          // Blocks have no identity other than their position.
          // oxlint-disable-next-line react/no-array-index-key
          key={index}
          from={index === 0 ? turn.role : ''}
          text={block.type === 'text' ? block.text : null}
          onText={onText === undefined ? undefined : (next) => onText(withTurnText(text, at, index, next))}
          onRemove={onText === undefined || index > 0 ? undefined : () => onText(withoutTurn(text, at))}
        >
          <SampledBlockView block={block} />
        </Turn>
      ))}
    </>
  );
}

interface TurnProps {
  from: string;
  /** What can be edited as text; null if nothing. */
  text: string | null;
  isEmpty?: boolean;
  onText: ((text: string) => void) | undefined;
  onRemove?: (() => void) | undefined;
  children: React.ReactNode;
}

function Turn({ from, text, isEmpty = false, onText, onRemove, children }: TurnProps) {
  /** The text while it is edited. */
  const [draft, setDraft] = useState<string | null>(null);
  const what = from === '' ? 'block' : `${from} text`;
  return (
    <div className={classes.turn}>
      <span className={classes.role}>{from}</span>
      <div className={classes.block}>
        {draft === null ? (
          <div>{children}</div>
        ) : (
          <Textarea
            size="xs"
            aria-label={`Edit ${what}`}
            autosize
            minRows={2}
            maxRows={16}
            ref={focused}
            value={draft}
            onChange={(event) => setDraft(event.currentTarget.value)}
          />
        )}
        {text !== null && onText !== undefined && (
          <IconButton
            icon={draft === null ? IconPencil : IconCheck}
            label={draft === null ? `${isEmpty ? 'Add' : 'Edit'} ${what}` : 'Keep the change'}
            size={22}
            onClick={() => {
              if (draft !== null && draft !== text) onText(draft);
              setDraft(draft === null ? text : null);
            }}
          />
        )}
        {onRemove !== undefined && draft === null && (
          <IconButton icon={IconTrash} label={`Remove message of ${from}`} size={22} onClick={onRemove} />
        )}
      </div>
    </div>
  );
}
