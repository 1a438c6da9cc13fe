import { IconKey, IconTool } from '@tabler/icons-react';
import type { ServerId } from '../contract/generated/contract';
import { useActions } from '../model/workspace/actions';
import { shortcutText } from '../model/workspace/shortcuts';
import { useAuthorization, useMode } from '../model/workspace/context';
import { Segments } from '../widgets/controls/Segments';
import classes from './Shell.module.css';

/** What the centre shows of the selected server. */
export function ModeSwitch({ serverId }: { serverId: ServerId }) {
  const mode = useMode(serverId);
  const { show } = useActions();
  const isWaiting = useAuthorization(serverId).data?.run?.state === 'waiting';
  return (
    <span className={classes.modes} data-tip={`What the centre shows (${shortcutText('mode')})`}>
      <Segments
        label="Mode"
        value={mode}
        onChange={(next) => show(serverId, next)}
        segments={[
          {
            value: 'explore',
            label: (
              <span className={classes.mode}>
                <IconTool size={14} aria-hidden />
                Explore
              </span>
            ),
          },
          {
            value: 'authorization',
            label: (
              <span className={classes.mode}>
                <IconKey size={14} aria-hidden color={isWaiting ? 'var(--pb-warn)' : undefined} />
                Authorization
              </span>
            ),
          },
        ]}
      />
    </span>
  );
}
