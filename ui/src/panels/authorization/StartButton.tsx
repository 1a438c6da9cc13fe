import { Button, type ButtonProps } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import type { ServerId } from '../../contract/generated';
import { useAuthorization, useModel } from '../../model/workspace/context';
import { useWhyUnused } from './useWhyUnused';

/** Starts a run from the first step. */
export function StartButton({
  serverId,
  variant,
  label = 'Authorize',
}: {
  serverId: ServerId;
  variant: ButtonProps['variant'];
  label?: string;
}) {
  const { authorizations } = useModel();
  const { busy } = useAuthorization(serverId);
  const unused = useWhyUnused(serverId);
  return (
    <Button
      variant={variant}
      loading={busy}
      disabled={unused !== null}
      data-tip={unused ?? undefined}
      leftSection={<IconKey size={16} />}
      onClick={() => void authorizations.start(serverId)}
    >
      {label}
    </Button>
  );
}
