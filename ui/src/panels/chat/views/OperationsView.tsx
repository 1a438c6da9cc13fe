import { Button } from '@mantine/core';
import {
  IconAlertCircle,
  IconArrowUp,
  IconChevronRight,
  IconInbox,
  IconMessage,
  IconSparkles,
  IconTool,
} from '@tabler/icons-react';
import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { ConversationStore } from '../../../model/chat/conversation';
import { type Step, lastEnd, turnsOf } from '../../../model/chat/operations';
import { type TreeRow, treeKey, treeRows } from '../../../model/chat/tree';
import { MOST_REQUESTS, useTurnRequests } from '../../../model/chat/useTurnRecords';
import { formatCount, formatDuration, formatTime } from '../../../model/text/format';
import { useReveal } from '../../../model/workspace/context';
import { RecordLink } from '../../../widgets/links/RecordLink';
import { EmptyState } from '../../../widgets/layout/EmptyState';
import classes from './views.module.css';

/** How many turns are drawn at first, and how many more at a time. */
const PAGE = 100;

const GLYPHS: Record<Step['kind'], typeof IconTool> = {
  turn: IconMessage,
  answer: IconSparkles,
  call: IconTool,
  request: IconInbox,
  notice: IconAlertCircle,
};
const KINDS: Record<Step['kind'], string> = {
  turn: 'Turn',
  answer: 'Answer',
  call: 'Call',
  request: 'Request',
  notice: 'Notice',
};

/** What each turn caused, as a tree with times: answers, their calls, and what servers requested meanwhile. */
export function OperationsView({ conversation }: { conversation: ConversationStore }) {
  const items = useStore(conversation, (state) => state.items);
  const requests = useTurnRequests(conversation);
  const turns = useMemo(() => turnsOf(items, requests), [items, requests]);
  const [most, setMost] = useState(PAGE);
  if (turns.length === 0) {
    return (
      <EmptyState
        title="No turns yet"
        text="Each message starts a turn. Its answers, tool calls and server requests appear here with their timing."
      />
    );
  }
  const first = Math.max(0, turns.length - most);
  return (
    <div className={classes.operations}>
      {first > 0 && (
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          leftSection={<IconArrowUp size={14} />}
          onClick={() => setMost(most + PAGE)}
        >
          Show earlier ({formatCount(first, 'more turn')})
        </Button>
      )}
      {requests.length >= MOST_REQUESTS && (
        <p className={classes.note}>
          Only the first {formatCount(MOST_REQUESTS, 'request')} in the traffic log are shown below their
          calls. Raw shows all of them.
        </p>
      )}
      <Tree turns={turns.slice(first)} />
    </div>
  );
}

function Tree({ turns }: { turns: readonly Step[] }) {
  const reveal = useReveal();
  const tree = useRef<HTMLDivElement>(null);
  // Steps that the user has opened or closed; the others are open, but for earlier turns.
  const [toggled, setToggled] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [active, setActive] = useState<string | null>(null);
  const last = turns.at(-1)?.id;
  const rows = treeRows(turns, (step) => toggled.get(step.id) ?? (step.kind !== 'turn' || step.id === last));
  const at = Math.max(
    0,
    rows.findIndex(({ step }) => step.id === active),
  );
  const toggle = (id: string, isOpen: boolean): void => setToggled((old) => new Map(old).set(id, isOpen));

  function onKeyDown(event: KeyboardEvent): void {
    // A button in a row has its own keys.
    if (event.target instanceof HTMLButtonElement) return;
    const row = rows[at];
    if (row === undefined) return;
    if (event.key === 'Enter' && row.step.seq !== null) {
      event.preventDefault();
      reveal(row.step.seq);
      return;
    }
    const move = treeKey(rows, at, event.key);
    if (move === null) return;
    event.preventDefault();
    if (move.type === 'toggle') toggle(row.step.id, move.isOpen);
    else {
      setActive(rows[move.to]?.step.id ?? null);
      tree.current?.querySelectorAll<HTMLElement>('[role="treeitem"]')[move.to]?.focus();
    }
  }

  return (
    <div
      ref={tree}
      className={classes.tree}
      role="tree"
      aria-label="Operations"
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      {rows.map((row, index) => (
        <Row
          key={row.step.id}
          row={row}
          isActive={index === at}
          onActive={() => setActive(row.step.id)}
          onToggle={() => toggle(row.step.id, row.isOpen !== true)}
        />
      ))}
    </div>
  );
}

interface RowProps {
  row: TreeRow;
  isActive: boolean;
  onActive: () => void;
  onToggle: () => void;
}

function Row({ row: { step, turn, level, isOpen, place, count }, isActive, onActive, onToggle }: RowProps) {
  const Glyph = GLYPHS[step.kind];
  const time = step.durationMs === null ? '' : formatDuration(step.durationMs);
  return (
    // The tree handles the keys of its rows.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      className={classes.row}
      role="treeitem"
      aria-level={level}
      aria-setsize={count}
      aria-posinset={place}
      aria-selected={isActive}
      aria-expanded={isOpen}
      aria-label={[`${KINDS[step.kind]}: ${step.title}`, step.facts, time].filter(Boolean).join(', ')}
      tabIndex={isActive ? 0 : -1}
      onFocus={onActive}
      onClick={() => isOpen !== undefined && onToggle()}
    >
      <span className={classes.name} style={{ paddingLeft: (level - 1) * 18 }}>
        <IconChevronRight
          size={14}
          aria-hidden
          className={classes.chevron}
          data-open={isOpen}
          data-leaf={isOpen === undefined}
        />
        <Glyph size={14} aria-hidden className={classes.glyph} data-tone={step.tone} />
        <span className={classes.title} data-kind={step.kind}>
          {step.title}
        </span>
        <span className={classes.facts} data-tone={step.tone}>
          {step.facts}
        </span>
      </span>
      <span className={classes.time}>{formatTime(step.startMs)}</span>
      <Span step={step} turn={turn} />
      <span className={classes.duration}>{time}</span>
      <span className={classes.record}>
        {step.seq !== null && <RecordLink seq={step.seq} label={`#${step.seq}`} />}
      </span>
    </div>
  );
}

/** When in its turn a step ran. */
function Span({ step, turn }: { step: Step; turn: Step }) {
  const whole = Math.max(1, lastEnd(turn) - turn.startMs);
  const from = Math.min(1, Math.max(0, (step.startMs - turn.startMs) / whole));
  const width = Math.min(1 - from, (step.durationMs ?? 0) / whole);
  return (
    <span className={classes.lane} aria-hidden>
      <span
        className={classes.span}
        data-kind={step.kind}
        data-tone={step.tone}
        style={{ left: `${from * 100}%`, width: `${width * 100}%` }}
      />
    </span>
  );
}
