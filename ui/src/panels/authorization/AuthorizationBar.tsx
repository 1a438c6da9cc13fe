import { Button } from '@mantine/core';
import { IconArrowRight, IconLayoutSidebarRight, IconPlayerStop } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { AuthorizationGetResponse, ServerId } from '../../contract/generated';
import { useActions } from '../../model/workspace/actions';
import { isUnderWay, statusOf, statusWords, timeLeft } from '../../model/authorization/authorizationWords';
import { useNow } from '../../model/store/clock';
import { useAuthorization, useModel, useServerPart } from '../../model/workspace/context';
import { Bar, BarEnd } from '../../widgets/layout/Bar';
import { IconButton } from '../../widgets/controls/IconButton';
import { StepGlyph } from '../../widgets/status/StepGlyph';
import { RunHistory } from './run/RunHistory';
import { useWhyUnused } from './useWhyUnused';
import { StartButton } from './StartButton';
import classes from './authorization.module.css';
import { useSide } from './useSide';
import { OVERALL_STATUSES } from './run/statuses';

/** The status of the authorization, and its actions. */
export function AuthorizationBar({ serverId, lead }: { serverId: ServerId; lead: ReactNode }) {
  const { authorizations } = useModel();
  const actions = useActions();
  const { data, replying } = useAuthorization(serverId);
  const ready = useServerPart(serverId, (server) => server?.connection.state === 'ready');
  const isHttp = useServerPart(serverId, (server) => server?.draft.transport.type === 'http');
  const isOff = useServerPart(serverId, (server) => server?.draft.authorization?.mode === 'off');
  const side = useSide();
  const run = data?.run ?? null;
  const hasToken = data !== undefined && data.token !== null;
  const underWay = isUnderWay(run);
  return (
    <Bar label="Authorization">
      {lead}
      {data !== undefined && isHttp && <StatusLine serverId={serverId} data={data} />}
      <BarEnd>
        {data !== undefined && isHttp && data.history.length > 0 && <RunHistory serverId={serverId} />}
        {underWay && (
          <Button
            variant="default"
            loading={replying}
            leftSection={<IconPlayerStop size={16} />}
            onClick={() => void authorizations.cancel(serverId)}
          >
            Cancel
          </Button>
        )}
        {!underWay && run !== null && !isOff && (
          <StartButton serverId={serverId} variant="default" label={hasToken ? 'Reauthorize' : 'Authorize'} />
        )}
        {run?.state === 'done' && hasToken && ready && (
          <Button
            rightSection={<IconArrowRight size={16} />}
            onClick={() => actions.show(serverId, 'explore')}
          >
            Explore
          </Button>
        )}
        {run !== null && (
          <IconButton
            icon={IconLayoutSidebarRight}
            label="Sequence and token"
            pressed={side.isOpen}
            onClick={side.toggle}
          />
        )}
      </BarEnd>
    </Bar>
  );
}

/** A separate component: it renders every second. */
function StatusLine({ serverId, data }: { serverId: ServerId; data: AuthorizationGetResponse }) {
  const isUnused = useWhyUnused(serverId) !== null;
  const now = useNow(1000);
  // What is stored and not used says nothing about the next request.
  const status = statusOf(isUnused ? { ...data, token: null } : data, now);
  return (
    <span className={classes.status} data-testid="authorization-status">
      <StepGlyph status={OVERALL_STATUSES[status.type]} />
      <span className="pb-ellipsis" role="status">
        {status.type === 'none' && data.token !== null ? 'Token not used' : statusWords(status)}
      </span>
      {status.type === 'valid' && status.expiresAtMs !== null && (
        // Not for a screen reader: it would read a number a second.
        <span className={`${classes.dim} pb-num`} aria-hidden>
          for {timeLeft(status.expiresAtMs, now)}
        </span>
      )}
    </span>
  );
}
