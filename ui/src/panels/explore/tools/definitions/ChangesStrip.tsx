import { Button } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import type { ServerId } from '../../../../contract/generated';
import { NO_CHANGES, serverChangesInWords } from '../../../../model/connection/serverChanges';
import { NO_DEFINITIONS, changesInWords } from '../../../../model/tools/definitions';
import { useModel } from '../../../../model/workspace/context';
import { Steady } from '../../../../widgets/layout/Steady';
import classes from './definitions.module.css';

interface ChangesStripProps {
  serverId: ServerId;
  /** Whether the tools are shown below: then a change of tools that waits for a review is told about there. */
  showsTools: boolean;
}

/** What changed since the last connection, above everything that the server offers. */
export function ChangesStrip({ serverId, showsTools }: ChangesStripProps) {
  const { serverChanges, definitions, workspace } = useModel();
  useEffect(() => {
    void serverChanges.load(serverId);
  }, [serverChanges, serverId]);
  const changes = useStore(serverChanges, (all) => all[serverId] ?? NO_CHANGES);
  const isReviewed = useStore(
    definitions,
    (all) => showsTools && changesInWords(all[serverId] ?? NO_DEFINITIONS) !== null,
  );
  const words = serverChangesInWords(changes, isReviewed ? 'tools' : null);
  return (
    <Steady>
      {words !== null && (
        <div className={classes.strip} role="status">
          <IconHistory size={14} aria-hidden />
          <span>{words}</span>
          <Button
            variant="default"
            size="compact-xs"
            onClick={() => workspace.setState({ dialog: { type: 'serverChanges', serverId } })}
          >
            Show changes
          </Button>
          <Button
            variant="subtle"
            color="gray"
            size="compact-xs"
            data-tip="Compares the next connection with what the server is now"
            onClick={() => void serverChanges.markSeen(serverId, changes.token)}
          >
            Mark as seen
          </Button>
        </div>
      )}
    </Steady>
  );
}
