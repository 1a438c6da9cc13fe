import { Button, Group } from '@mantine/core';
import { IconPencil, IconPlugConnected, IconPower } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { ServerItem } from '../../contract/generated';
import { fullName } from '../../model/connection/serverName';
import { useActions } from '../../model/workspace/actions';
import { useModel } from '../../model/workspace/context';
import { Bar } from '../../widgets/layout/Bar';
import { Pane } from '../../widgets/layout/Pane';
import { DisabledGlyph } from '../../widgets/status/ConnectionStatus';
import classes from './ConnectionPanel.module.css';

/** Where a disabled server would be connected: it is enabled first. */
export function DisabledServer({ server, lead }: { server: ServerItem; lead: ReactNode }) {
  const { workspace } = useModel();
  const actions = useActions();
  const { id } = server;
  const name = fullName(server);

  async function enableAndConnect(): Promise<void> {
    await actions.setDisabled(id, false);
    await actions.connect(id);
  }

  return (
    <Pane label={name} bar={<Bar>{lead}</Bar>} scrolls>
      <div className={classes.inner}>
        <div className={classes.head} role="status">
          <DisabledGlyph size={18} />
          <h2 className={classes.title}>{`${name} is disabled`}</h2>
        </div>
        <p className={classes.note}>
          It is not connected until you enable it: not at the start, not by a group and not by a conversation.
          Its settings and its log are kept.
        </p>
        <Group gap="xs">
          <Button leftSection={<IconPlugConnected size={16} />} onClick={() => void enableAndConnect()}>
            Enable and connect
          </Button>
          <Button
            variant="default"
            leftSection={<IconPower size={16} />}
            onClick={() => void actions.setDisabled(id, false)}
          >
            Enable
          </Button>
          <Button
            variant="default"
            leftSection={<IconPencil size={16} />}
            onClick={() => workspace.setState({ dialog: { type: 'editServer', serverId: id } })}
          >
            Edit…
          </Button>
        </Group>
      </div>
    </Pane>
  );
}
