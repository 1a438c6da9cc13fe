import { IconFolderQuestion } from '@tabler/icons-react';
import type { ServerItem } from '../../../contract/generated';
import { fullName } from '../../../model/connection/serverName';
import { useActions } from '../../../model/workspace/actions';
import { formatCount } from '../../../model/text/format';
import { useModel, useUi } from '../../../model/workspace/context';
import classes from '../Inbox.module.css';

/** A server that asked for its roots and was answered without some of them, until the user decides. */
export function WithheldRoots({ server }: { server: ServerItem }) {
  const { ui } = useModel();
  const actions = useActions();
  const isSelected = useUi(({ selectedServer }) => selectedServer === server.id);
  const isShown = useUi(({ exploreTab }) => exploreTab === 'roots') && isSelected;
  const name = fullName(server);
  const count = formatCount(server.withheldRoots ?? 0, 'folder');
  return (
    <button
      type="button"
      className={classes.card}
      data-entry
      aria-current={isShown || undefined}
      aria-label={`${name} requested your roots: ${count} not sent until you allow it`}
      data-selected={isSelected || undefined}
      onClick={() => {
        actions.show(server.id, 'explore');
        ui.setState({ exploreTab: 'roots' });
      }}
    >
      <IconFolderQuestion size={16} color="var(--pb-warn)" aria-hidden style={{ flex: 'none' }} />
      <span className={classes.what}>
        <span className={`${classes.line} pb-ellipsis`}>
          <b>Roots</b> {name}
        </span>
        <span className={`${classes.cause} pb-ellipsis`}>{count} not sent until you allow it</span>
      </span>
    </button>
  );
}
