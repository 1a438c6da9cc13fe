import { Badge } from '@mantine/core';
import { IconBell, IconBellOff, IconHistory, IconX } from '@tabler/icons-react';
import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { waitingRuns } from '../../model/authorization/authorizations';
import { formatCount } from '../../model/text/format';
import { useModel, useServers } from '../../model/workspace/context';
import { IconButton } from '../../widgets/controls/IconButton';
import { Steady } from '../../widgets/layout/Steady';
import { moveInList } from '../../widgets/focus/listFocus';
import classes from './Inbox.module.css';
import { InputCard } from './cards/InputCard';
import { PastInputs } from './cards/PastInputs';
import { QuietServer } from './cards/QuietServer';
import { WaitingRun } from './cards/WaitingRun';
import { WithheldRoots } from './cards/WithheldRoots';
import { WithdrawnCard, useJustWithdrawn } from './cards/WithdrawnCard';
import { useNotifies } from '../../model/workspace/useNotifies';

/** How many cards are shown; the others appear as these are answered. */
const MOST = 50;

/** What servers request of the user: authorization, sampling, elicitation, roots. Arrow keys move, Enter opens. */
export function Inbox() {
  const { inputs, authorizations } = useModel();
  const items = useStore(inputs, (state) => state.items);
  const quiet = useStore(inputs, (state) => state.quiet);
  const known = useStore(authorizations, (all) => all);
  const runs = useMemo(() => waitingRuns(known), [known]);
  const servers = useServers((state) => state.items);
  const withheld = servers?.filter(({ withheldRoots }) => (withheldRoots ?? 0) > 0) ?? [];
  const count = items.length + runs.length + withheld.length;
  const justWithdrawn = useJustWithdrawn(useStore(inputs, (state) => state.withdrawn));
  const error = useStore(inputs, (state) => state.error);
  const hasAnswered = useStore(inputs, (state) => state.answered.length > 0 || state.withdrawn.length > 0);
  const [isHistory, setIsHistory] = useState(false);
  // The history has them too.
  const withdrawn = isHistory ? [] : justWithdrawn;

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
        <span className="pb-grow" />
        <NotifySwitch />
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
      <Steady>
        {error !== null && error.code !== 'notFound' && (
          <p className={classes.note} role="alert">
            {error.message}
          </p>
        )}
        {[...quiet].map((serverId) => (
          <QuietServer
            key={serverId}
            serverId={serverId}
            items={items.filter((item) => item.serverId === serverId)}
          />
        ))}
        {count === 0 && <p className={classes.note}>No pending requests</p>}
        {(count > 0 || withdrawn.length > 0) && (
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrows move between the cards
          <ul className={classes.cards} onKeyDown={moveInList}>
            {runs.map(({ serverId, run }) => (
              <li key={run.id}>
                <WaitingRun serverId={serverId} run={run} />
              </li>
            ))}
            {withheld.map((server) => (
              <li key={server.id}>
                <WithheldRoots server={server} />
              </li>
            ))}
            {items.slice(0, MOST).map((item, at) => (
              <li key={item.id}>
                <InputCard item={item} place={at + 1} count={items.length} />
              </li>
            ))}
            {items.length > MOST && (
              <li className={classes.note}>and {formatCount(items.length - MOST)} more</li>
            )}
            {withdrawn.map((gone) => (
              <li key={gone.id}>
                <WithdrawnCard gone={gone} />
              </li>
            ))}
          </ul>
        )}
        {isHistory && <PastInputs />}
      </Steady>
    </section>
  );
}

/** Turns the desktop notifications of requests on and off. */
function NotifySwitch() {
  const { state, toggle } = useNotifies();
  if (state === 'unsupported') return null;
  const labels = {
    on: 'Background notifications: on',
    off: 'Background notifications: off',
    denied: 'The browser does not allow notifications for this page',
  };
  return (
    <IconButton
      icon={state === 'on' ? IconBell : IconBellOff}
      label={labels[state]}
      pressed={state === 'on'}
      disabled={state === 'denied'}
      onClick={toggle}
    />
  );
}
