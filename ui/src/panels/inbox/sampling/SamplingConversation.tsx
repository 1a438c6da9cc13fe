import { Button, Textarea, TextInput } from '@mantine/core';
import { IconCheck, IconPencil, IconTrash } from '@tabler/icons-react';
import { isLosslessNumber } from 'lossless-json';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import { samplingFacts } from '../../../model/inbox/inputRequest';
import type { RequestEdit } from '../../../model/inbox/request/excerpt';
import {
  AT_THE_END,
  type InView,
  MOST_SHOWN,
  type Reading,
  type RequestPart,
  editedNow,
  isShort,
} from '../../../model/inbox/request/requestReader';
import type { Conversation, SampledTurn } from '../../../model/inbox/sampling/conversation';
import { type KeptTurns, keptAfter, turnKey } from '../../../model/inbox/sampling/keptTurns';
import { formatCount, formatSize } from '../../../model/text/format';
import { type Json, type JsonObject, parseJson, writeJsonCompact } from '../../../model/text/json';
import { useModel } from '../../../model/workspace/context';
import { Waiting } from '../../../widgets/status/Waiting';
import { Fact, Facts } from '../../../widgets/facts/Facts';
import { useFocusWhenOpened } from '../../../widgets/focus/focused';
import { IconButton } from '../../../widgets/controls/IconButton';
import { DeprecatedNote } from '../../../widgets/links/DeprecatedNote';
import classes from './Conversation.module.css';
import { SampledBlockView } from './SampledBlockView';

/** How many more messages come into view at once. */
const STEP = 30;

interface SamplingConversationProps {
  part: Reading;
  conversation: Conversation;
  drafts: Drafts;
  inView: InView;
  onView: (view: InView) => void;
  /** The params as JSON text. */
  text: string;
  /** The messages of the text that is shown. */
  turns: KeptTurns;
  /** Receives the edited request; undefined if it cannot be edited. */
  onText: ((text: string, kept: KeptTurns) => void) | undefined;
  /** The text that is being edited in the background: further edits wait for it. */
  editing: string | null;
  onEditing: (text: string | null) => void;
}

type OnEdit = ((edit: RequestEdit) => void) | undefined;

/** A sampling request to read: system prompt, messages, settings and tools. Texts and limits can be edited in place. */
export function SamplingConversation(props: SamplingConversationProps) {
  const { part, conversation, drafts, inView, onView, text, turns, onText, editing, onEditing } = props;
  const { requestReader } = useModel();
  if (part.state === 'reading') return <Waiting text={`Reading ${formatSize(text.length)}…`} />;
  if (part.state === 'failed')
    return <p className={classes.dim}>This request cannot be shown as a conversation: {part.reason}.</p>;
  const { params } = part;
  const put = (edit: RequestEdit, next: string): void => {
    if (next === text) return;
    if (edit.type === 'removeTurn') forgetDrafts(drafts, turnKey(turns, edit.turn));
    onText?.(next, keptAfter(turns, edit, next));
  };
  // The places that are shown are those of the text that was read.
  const onEdit: OnEdit =
    onText === undefined || editing === text || turns.text !== text
      ? undefined
      : (edit) => {
          if (isShort(text)) {
            put(edit, editedNow(text, edit));
            return;
          }
          onEditing(text);
          void requestReader.edit(text, edit).then((next) => {
            onEditing(null);
            put(edit, next);
          });
        };
  const { system } = conversation;
  return (
    <div className={`${classes.conversation} pb-selectable`} data-request>
      {part.isCut && (
        <p className={classes.dim}>Too large to show in full here. Switch to JSON to see all of it.</p>
      )}
      <Turn
        id={SYSTEM}
        drafts={drafts}
        from="system"
        isEmpty={system === null}
        text={system !== null && system.length > MOST_EDITED ? null : (system ?? '')}
        onText={onEdit && ((next) => onEdit(paramEdit('systemPrompt', next === '' ? undefined : next)))}
      >
        {system === null ? (
          <p className={classes.dim}>No system prompt</p>
        ) : (
          <SampledBlockView block={{ type: 'text', text: system }} />
        )}
      </Turn>
      <Messages
        part={part}
        turns={conversation.turns}
        keyOf={(at) => turnKey(turns, at)}
        drafts={drafts}
        inView={inView}
        onView={onView}
        onEdit={onEdit}
      />
      <RequestFacts params={params} toolRounds={part.toolRounds} conversation={conversation} />
      {onText !== undefined && <Limits params={params} onEdit={onEdit} />}
    </div>
  );
}

interface MessagesProps {
  part: RequestPart;
  turns: SampledTurn[];
  /** What the message at a place is called, also after others were removed. */
  keyOf: (at: number) => string;
  drafts: Drafts;
  inView: InView;
  onView: (view: InView) => void;
  onEdit: OnEdit;
}

/** A button that brings other messages into view. */
function Way(props: { onClick: () => void; children: ReactNode }) {
  return <Button variant="subtle" color="gray" size="compact-xs" {...props} />;
}

/** The messages in view, with the ways to those before and after them. Never more than `MOST_SHOWN` are drawn. */
function Messages({ part, turns, keyOf, drafts, inView, onView, onEdit }: MessagesProps) {
  const { from, messages } = part;
  const later = Math.max(0, messages - from - turns.length);
  const { count } = inView;
  const goTo = (first: number, size: number): void =>
    onView({ from: Math.max(0, first), count: Math.min(MOST_SHOWN, size) });
  if (messages === 0) return <p className={classes.dim}>No messages</p>;
  return (
    <>
      {from > 0 && (
        <div className={classes.ways}>
          <Way onClick={() => goTo(from - STEP, count + Math.min(STEP, from))}>
            Show {formatCount(Math.min(STEP, from), 'earlier message')}
          </Way>
          {from > STEP && <Way onClick={() => goTo(0, MOST_SHOWN)}>Go to the first</Way>}
          <span className={`${classes.dim} pb-num`}>
            {formatCount(from + 1)} to {formatCount(from + turns.length)} of {formatCount(messages)}
          </span>
        </div>
      )}
      {turns.map((turn, at) => (
        <Message
          key={keyOf(from + at)}
          id={keyOf(from + at)}
          drafts={drafts}
          turn={turn}
          at={from + at}
          onEdit={onEdit}
        />
      ))}
      {later > 0 && (
        <div className={classes.ways}>
          <Way onClick={() => goTo(from + turns.length - (MOST_SHOWN - STEP), MOST_SHOWN)}>
            Show {formatCount(Math.min(STEP, later), 'later message')}
          </Way>
          <Way onClick={() => onView(AT_THE_END)}>Go to the last</Way>
        </div>
      )}
    </>
  );
}

function paramEdit(name: string, value: Json | undefined): RequestEdit {
  return { type: 'param', name, valueJson: value === undefined ? null : writeJsonCompact(value) };
}

interface RequestFactsProps {
  params: JsonObject;
  toolRounds: number;
  conversation: Conversation;
}

function RequestFacts({ params, toolRounds, conversation }: RequestFactsProps) {
  const facts = useMemo(() => samplingFacts(params), [params]);
  const { tools } = conversation;
  const context = params['includeContext'];
  return (
    <>
      {(facts.length > 0 || toolRounds > 0) && (
        <div className={classes.facts}>
          <Facts names={72} size="small">
            {toolRounds > 0 && (
              <Fact name="Tool loop">
                step {toolRounds + 1}: the server called the tools and sends{' '}
                {formatCount(toolRounds, 'round of results', 'rounds of results')}
              </Fact>
            )}
            {facts.map(({ name, value }) => (
              <Fact key={name} name={name}>
                {value}
              </Fact>
            ))}
          </Facts>
        </div>
      )}
      {(context === 'thisServer' || context === 'allServers') && (
        <>
          <p className={classes.dim}>
            Patchbay adds no server context to the request. Add it yourself where the model needs it.
          </p>
          <DeprecatedNote feature="includeContext" />
        </>
      )}
      {tools.length > 0 && (
        <details className={classes.tools}>
          <summary>{formatCount(tools.length, 'tool')} the model may call</summary>
          <dl>
            {tools.map(({ name, description }, at) => (
              // Names may repeat, and the list does not change.
              // oxlint-disable-next-line react/no-array-index-key
              <div key={at}>
                <dt>{name}</dt>
                {description !== '' && (
                  <dd>
                    <SampledBlockView block={{ type: 'text', text: description }} />
                  </dd>
                )}
              </div>
            ))}
          </dl>
        </details>
      )}
    </>
  );
}

/** The limits of the answer, as text: numbers keep what is typed. */
function Limits({ params, onEdit }: { params: JsonObject; onEdit: OnEdit }) {
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
              if (next === '') onEdit?.(paramEdit(name, undefined));
              else if (parsed.ok && isLosslessNumber(parsed.value)) onEdit?.(paramEdit(name, parsed.value));
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
  id: string;
  drafts: Drafts;
  turn: SampledTurn;
  /** Its place now. */
  at: number;
  onEdit: OnEdit;
}

function Message({ id, drafts, turn, at, onEdit }: MessageProps) {
  return (
    <>
      {turn.blocks.map((block, index) => (
        <Turn
          // Blocks have no identity other than their position.
          // oxlint-disable-next-line react/no-array-index-key
          key={index}
          id={`${id} ${index}`}
          drafts={drafts}
          from={index === 0 ? turn.role : ''}
          text={block.type === 'text' && block.text.length <= MOST_EDITED ? block.text : null}
          onText={onEdit && ((next) => onEdit({ type: 'turnText', turn: at, block: index, text: next }))}
          onRemove={index > 0 ? undefined : onEdit && (() => onEdit({ type: 'removeTurn', turn: at }))}
        >
          <SampledBlockView block={block} />
        </Turn>
      ))}
    </>
  );
}

/** Longer texts are edited as JSON: a text field would freeze. */
const MOST_EDITED = 50_000;

/** The texts that are being edited, also while they are out of view. */
export interface Drafts {
  texts: Map<string, string>;
  /** The edit of a text began or ended. */
  onChange: () => void;
}

const SYSTEM = 'system';

/** Whether a text of the request that is shown is being edited. Those of the request before edits come back with it. */
export function hasDraft({ texts }: Drafts, { base }: KeptTurns): boolean {
  return [...texts.keys()].some((id) => id === SYSTEM || id.startsWith(`${base} `));
}

/** Ends the edits of the texts whose names begin so. */
export function forgetDrafts({ texts, onChange }: Drafts, beginning: string): void {
  for (const id of texts.keys()) if (id.startsWith(`${beginning} `)) texts.delete(id);
  onChange();
}

interface TurnProps {
  id: string;
  drafts: Drafts;
  from: string;
  /** What can be edited as text; null if nothing. */
  text: string | null;
  isEmpty?: boolean;
  onText: ((text: string) => void) | undefined;
  onRemove?: (() => void) | undefined;
  children: ReactNode;
}

function Turn({ id, drafts, from, text, isEmpty = false, onText, onRemove, children }: TurnProps) {
  /** The text while it is edited. */
  const [draft, setShown] = useState(() => drafts.texts.get(id) ?? null);
  const field = useFocusWhenOpened(draft !== null);
  const button = useRef<HTMLButtonElement>(null);
  const setDraft = (next: string | null): void => {
    setShown(next);
    const { size } = drafts.texts;
    if (next === null || next === text) drafts.texts.delete(id);
    else drafts.texts.set(id, next);
    if (drafts.texts.size !== size) drafts.onChange();
  };
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
            ref={field}
            value={draft}
            data-editing
            onChange={(event) => setDraft(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Escape') return;
              // It ends the edit, not the request.
              event.stopPropagation();
              // The key that ends a composition ends nothing else.
              if (event.nativeEvent.isComposing) return;
              setDraft(null);
              button.current?.focus();
            }}
          />
        )}
        {text !== null && onText !== undefined && (
          <IconButton
            ref={button}
            icon={draft === null ? IconPencil : IconCheck}
            label={draft === null ? `${isEmpty ? 'Add' : 'Edit'} ${what}` : 'Apply'}
            size={22}
            onClick={() => {
              if (draft !== null && draft !== text) onText(draft);
              setDraft(draft === null ? text : null);
            }}
          />
        )}
        {onRemove !== undefined && draft === null && (
          <IconButton icon={IconTrash} label={`Remove ${from} message`} size={22} onClick={onRemove} />
        )}
      </div>
    </div>
  );
}
