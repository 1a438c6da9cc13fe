import { Badge, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { reviewFrom } from '../../../model/servers/adding/dropped/droppedDialog';
import {
  ACCEPTED,
  type DroppedContent,
  type DroppedItem,
} from '../../../model/servers/adding/dropped/droppedFiles';
import { formatCount } from '../../../model/text/format';
import { useModel } from '../../../model/workspace/context';
import classes from './DroppedDialog.module.css';

interface DroppedDialogProps {
  items: readonly DroppedItem[];
  onClose: () => void;
}

/** What was dropped, or chosen: what each file is, and its review. */
export function DroppedDialog({ items, onClose }: DroppedDialogProps) {
  const { workspace } = useModel();
  const isRefused = items.some(({ content }) => content.type === 'refused');
  const first = items.findIndex(({ content, isReviewed }) => content.type !== 'refused' && !isReviewed);
  return (
    <Modal
      opened
      onClose={onClose}
      size={640}
      stackId="dropped"
      title={first === -1 ? `${formatCount(items.length, 'file')} cannot be added` : 'Review files'}
    >
      <Stack gap="md">
        <ul className={classes.items}>
          {items.map(({ name, content, isReviewed }, at) => (
            // oxlint-disable-next-line react/no-array-index-key -- names may repeat, and the list does not change
            <li key={at} data-refused={content.type === 'refused' || undefined}>
              <div className={classes.words}>
                <span className="pb-mono pb-ellipsis pb-selectable" title={name}>
                  {name}
                </span>
                <span className={`${classes.kind} pb-selectable`}>{inWords(content)}</span>
              </div>
              {isReviewed && (
                <Badge variant="default" size="sm" tt="none">
                  Reviewed
                </Badge>
              )}
              {content.type !== 'refused' && (
                <Button
                  variant={at === first ? 'filled' : 'default'}
                  size="compact-sm"
                  aria-label={`Review ${name}`}
                  data-autofocus={at === first || undefined}
                  onClick={() => workspace.setState({ dialog: reviewFrom(items, at) })}
                >
                  Review…
                </Button>
              )}
            </li>
          ))}
        </ul>
        {isRefused && (
          <Text size="xs" c="dimmed">
            {ACCEPTED}
          </Text>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="subtle" color="gray" onClick={onClose} data-autofocus={first === -1 || undefined}>
            Close
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function inWords(content: DroppedContent): string {
  switch (content.type) {
    case 'bundle':
      return 'MCP bundle';
    case 'registry':
      return 'server.json of the MCP registry';
    case 'host':
      return `${content.host}, ${formatCount(content.servers, 'server')}`;
    case 'servers':
      return 'JSON with servers';
    case 'refused':
      return content.message;
  }
}
