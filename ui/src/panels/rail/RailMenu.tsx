import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useActions } from '../../model/workspace/actions';
import type { Command } from '../../model/workspace/commands';
import { useModel, useServers } from '../../model/workspace/context';

/** What can be done with all servers. */
export function RailMenu({ commands }: { commands: readonly Command[] }) {
  const isShown = useServers(({ items }) => (items?.length ?? 0) > 0) && commands.length > 0;
  if (!isShown) return null;
  return (
    <Menu position="bottom-end" width={210}>
      <Menu.Target>
        <ActionIcon aria-label="Actions for all servers" data-tip="Actions for all servers">
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Items commands={commands} />
      </Menu.Dropdown>
    </Menu>
  );
}

/** A separate component, mounted only while the menu is open. */
function Items({ commands }: { commands: readonly Command[] }) {
  const model = useModel();
  const actions = useActions();
  useServers(({ items }) => items);
  return commands.map(({ id, title, icon: Glyph, available, run }) => (
    <Menu.Item
      key={id}
      leftSection={<Glyph size={16} />}
      disabled={!(available?.(model) ?? true)}
      onClick={() => void run({ model, actions }, 0)}
    >
      {typeof title === 'string' ? title : title(model)}
    </Menu.Item>
  ));
}
