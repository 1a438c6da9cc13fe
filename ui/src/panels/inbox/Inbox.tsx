import { Badge } from '@mantine/core';
import { IconBan, IconHistory, IconKey, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { InputItem, RunItem, ServerId, WithdrawnInput } from '../../contract/generated';
import { useActions } from '../../model/workspace/actions';
import { waitingWords } from '../../model/authorization/authorizationWords';
import { waitingRuns } from '../../model/authorization/authorizations';
import { useMode, useModel, useServerName, useUi, useWorkspace } from '../../model/workspace/context';
import { formatCount, formatTime } from '../../model/text/format';
import { requestInWords, kindWord } from '../../model/inbox/inputRequest';
import { useCause } from '../../model/inbox/useCause';
import { IconButton } from '../../widgets/controls/IconButton';
import { Elapsed } from '../../widgets/status/RecordStatus';
import { AnsweredInputs } from './AnsweredInputs';
import classes from './Inbox.module.css';
import { KindGlyph } from './KindGlyph';

/** How many cards are shown; the others appear as these are answered. */
const MOST = 50;

/** What servers request of the user: authorization, sampling, elicitation, roots. Arrow keys move, Enter opens. */
export function Inbox() {
  const { inputs, authorizations } = useModel();
  const items = useStore(inputs, (state) => state.items);
  const known = useStore(authorizations, (all) => all);
  const runs = useMemo(() => waitingRuns(known), [known]);
  const count = items.length + runs.length;
  const withdrawn = useStore(inputs, (state) => state.withdrawn);
  const error = useStore(inputs, (state) => state.error);
  const hasAnswered = useStore(inputs, (state) => state.answered.length > 0);
  const [isHistory, setIsHistory] = useState(false);

  useEffect(() => void inputs.refresh(), [inputs]);

  return (
    <section className={classes.inbox} aria-label="Inbox">
      <div className={classes.head}>
        <span>Inbox</span>
        {count > 0 && (
          <Badge
            variant="filled"
            data-testid="inbox-count"
            aria-label={formatCount(count, 'pending request')}
          >
            {count}
          </Badge>
        )}
        <span className={classes.grow} />
        {(hasAnswered || isHistory) && (
          <IconButton
            icon={IconHistory}
            label={isHistory ? 'Hide answered requests' : 'Show answered requests'}
            pressed={isHistory}
            onClick={() => setIsHistory(!isHistory)}
          />
        )}
        {withdrawn.length > 0 && (
          <IconButton
            icon={IconX}
            label="Clear withdrawn requests"
            onClick={() => inputs.dismissWithdrawn()}
          />
        )}
      </div>
      {error !== null && error.code !== 'notFound' && (
        <p className={classes.note} role="alert">
          {error.message}
        </p>
      )}
      {count === 0 && withdrawn.length === 0 ? (
        <p className={classes.note}>No pending requests</p>
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrows move between the cards
        <ul className={classes.cards} onKeyDown={moveFocus}>
          {runs.map(({ serverId, run }) => (
            <li key={run.id}>
              <WaitingRun serverId={serverId} run={run} />
            </li>
          ))}
          {items.slice(0, MOST).map((item) => (
            <li key={item.id}>
              <Card item={item} />
            </li>
          ))}
          {items.length > MOST && (
            <li className={classes.note}>and {formatCount(items.length - MOST)} more</li>
          )}
          {withdrawn.map((gone) => (
            <li key={gone.id}>
              <Withdrawn gone={gone} />
            </li>
          ))}
        </ul>
      )}
      {isHistory && <AnsweredInputs />}
    </section>
  );
}

function Card({ item }: { item: InputItem }) {
  const { inputs, workspace } = useModel();
  const isOpen = useWorkspace(({ dialog }) => dialog?.type === 'input' && dialog.inputId === item.id);
  const isSelected = useUi(({ selectedServer }) => selectedServer === item.serverId);
  const cause = useCause(item.aboutSeq);
  return (
    <button
      type="button"
      className={classes.card}
      aria-current={isOpen || undefined}
      aria-label={`${requestInWords(item)}${cause === null ? '' : `, during ${cause}`}`}
      data-selected={isSelected || undefined}
      onClick={() => {
        inputs.offer(item.id);
        workspace.setState({ dialog: { type: 'input', inputId: item.id } });
      }}
    >
      <KindGlyph kind={item.kind} />
      <span className={classes.what}>
        <span className={`${classes.line} pb-ellipsis`}>
          <b>{kindWord(item.kind)}</b> {item.serverName}
        </span>
        <span className={`${classes.cause} pb-ellipsis`}>{cause ?? item.method}</span>
      </span>
      {/* Hidden from screen readers, which would read ten numbers a second. */}
      <span className={`${classes.timer} pb-num`} aria-hidden>
        <Elapsed sinceAtMs={item.waitingSinceMs} />
      </span>
    </button>
  );
}

function WaitingRun({ serverId, run }: { serverId: ServerId; run: RunItem }) {
  const actions = useActions();
  const name = useServerName(serverId) ?? '';
  const isSelected = useUi(({ selectedServer }) => selectedServer === serverId);
  const isShown = useMode(serverId) === 'authorization' && isSelected;
  const since = run.steps.find(({ state }) => state === 'waiting')?.startedAtMs ?? run.startedAtMs;
  return (
    <button
      type="button"
      className={classes.card}
      aria-current={isShown || undefined}
      aria-label={`${name} needs authorization: ${waitingWords(run)}`}
      data-selected={isSelected || undefined}
      onClick={() => actions.show(serverId, 'authorization')}
    >
      <IconKey size={16} color="var(--pb-warn)" aria-hidden style={{ flex: 'none' }} />
      <span className={classes.what}>
        <span className={`${classes.line} pb-ellipsis`}>
          <b>Authorization</b> {name}
        </span>
        <span className={`${classes.cause} pb-ellipsis`}>{waitingWords(run)}</span>
      </span>
      <span className={`${classes.timer} pb-num`} aria-hidden>
        <Elapsed sinceAtMs={since} />
      </span>
    </button>
  );
}

function Withdrawn({ gone }: { gone: WithdrawnInput }) {
  return (
    <div className={classes.withdrawn} data-tip={gone.reason} data-tip-side="right">
      <IconBan size={14} aria-hidden />
      <span className={classes.what}>
        <span className={`${classes.line} pb-ellipsis`}>
          <b>Withdrawn</b> {gone.serverName}
        </span>
        <span className={`${classes.cause} pb-ellipsis`}>
          {gone.method}: {gone.reason}
        </span>
      </span>
      <span className={`${classes.timer} pb-num`}>{formatTime(gone.atMs).slice(0, 8)}</span>
    </div>
  );
}

function moveFocus(event: KeyboardEvent<HTMLUListElement>): void {
  const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (by === 0) return;
  const cards = [...event.currentTarget.querySelectorAll('button')];
  const at = cards.findIndex((card) => card === document.activeElement);
  const next = cards[at + by];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
