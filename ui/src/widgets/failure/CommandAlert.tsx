import { Alert, Group, Spoiler, Text } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { CommandError } from '../../contract/generated';

interface CommandAlertProps {
  error: CommandError;
  /** What to do about it. */
  children?: ReactNode;
  onClose?: () => void;
  /** Whether it is placed directly in a pane: it keeps a margin to the pane's edges and scrolls instead of shrinking. */
  inPane?: boolean;
}

/** As much of a detail as is shown at once, in px. */
const THREE_LINES = 54;

/** Mantine hides what overflows an alert, so a pane that is short of room would cut it off. */
const IN_PANE = { flex: 'none', maxHeight: '60%', overflow: 'auto' };

/** An error of ours, where it happened. */
export function CommandAlert({ error, children, onClose, inPane = false }: CommandAlertProps) {
  return (
    <Alert
      color="red"
      icon={<IconAlertCircle size={16} />}
      withCloseButton={onClose !== undefined}
      closeButtonLabel="Dismiss"
      onClose={onClose}
      className="pb-selectable"
      role="alert"
      m={inPane ? 8 : undefined}
      style={inPane ? IN_PANE : undefined}
    >
      <Text size="sm">{error.message}</Text>
      {error.detail !== null && error.detail !== '' && (
        <Spoiler maxHeight={THREE_LINES} showLabel="Show detail" hideLabel="Hide detail" fz="xs">
          <Text className="pb-mono" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {error.detail}
          </Text>
        </Spoiler>
      )}
      {children !== undefined && (
        <Group gap="xs" mt="xs">
          {children}
        </Group>
      )}
    </Alert>
  );
}
