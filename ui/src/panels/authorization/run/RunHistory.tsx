import { Button, Menu } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import type { ServerId } from '../../../contract/generated';
import { causeWords, runStateWord } from '../../../model/authorization/authorizationWords';
import { shownRun } from '../../../model/authorization/authorizations';
import { useAuthorization, useModel } from '../../../model/workspace/context';
import { formatCount, formatDuration, formatTime } from '../../../model/text/format';
import { StepGlyph } from '../../../widgets/status/StepGlyph';
import classes from '../authorization.module.css';
import { RUN_STATUSES } from './statuses';

/** A menu of the latest runs. */
export function RunHistory({ serverId }: { serverId: ServerId }) {
  const { data, earlier } = useAuthorization(serverId);
  const count = data?.history.length ?? 0;
  return (
    <Menu position="bottom-end" width={460}>
      <Menu.Target>
        <Button variant="subtle" color="gray" leftSection={<IconHistory size={14} />} data-tip="Latest runs">
          {earlier === null
            ? formatCount(count, 'run')
            : `Run at ${formatTime(earlier.startedAtMs).slice(0, 8)}`}
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.history}>
        <Runs serverId={serverId} />
      </Menu.Dropdown>
    </Menu>
  );
}

/** A separate component: mounted only while the menu is open. */
function Runs({ serverId }: { serverId: ServerId }) {
  const { authorizations } = useModel();
  const authorization = useAuthorization(serverId);
  const shown = shownRun(authorization)?.id;
  return authorization.data?.history.map((run) => (
    <Menu.Item
      key={run.id}
      data-shown={run.id === shown || undefined}
      aria-current={run.id === shown || undefined}
      className={classes.historyItem}
      onClick={() => void authorizations.look(serverId, run.id)}
    >
      <span className={classes.historyLine}>
        <StepGlyph status={RUN_STATUSES[run.state]} size={14} />
        <span className="pb-num">{formatTime(run.startedAtMs)}</span>
        <span>{runStateWord(run.state)}</span>
        <span className={`${classes.dim} pb-num`}>
          {run.endedAtMs === null ? '' : formatDuration(run.endedAtMs - run.startedAtMs)}
        </span>
        <span className={`${classes.dim} pb-ellipsis`}>{causeWords(run.cause)}</span>
      </span>
      {run.summary !== '' && <span className={`${classes.historySummary} pb-ellipsis`}>{run.summary}</span>}
    </Menu.Item>
  ));
}
