import { Alert, Group, Spoiler, Text } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { CommandError } from '../../contract/generated';

interface CommandAlertProps {
  error: CommandError;
  /** What to do about it. */
  children?: ReactNode;
  onClose?: () => void;
}

/** As much of a detail as is shown at once, in px. */
const THREE_LINES = 54;

/** An error of ours, where it happened. */
export function CommandAlert({ error, children, onClose }: CommandAlertProps) {
  return (
    <Alert
      color="red"
      icon={<IconAlertCircle size={16} />}
      withCloseButton={onClose !== undefined}
      closeButtonLabel="Dismiss"
      onClose={onClose}
      className="pb-selectable"
      role="alert"
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
