import { Button } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { ServerId, TokenItem } from '../../contract/generated';
import { useAuthorization } from '../../model/workspace/context';
import { useFocusReturn } from '../../widgets/focus/useFocusReturn';
import { ForgetDialog } from './ForgetDialog';

interface ForgetButtonProps {
  serverId: ServerId;
  /** Null: there is only a client registration, or what is stored cannot be read. */
  token: TokenItem | null;
}

/** Forgets what is stored for a server, after it asked. */
export function ForgetButton({ serverId, token }: ForgetButtonProps) {
  const { busy } = useAuthorization(serverId);
  const [forgetting, setForgetting] = useState(false);
  useFocusReturn(forgetting);
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconTrash size={16} />}
        disabled={busy}
        onClick={() => setForgetting(true)}
      >
        Forget…
      </Button>
      {forgetting && <ForgetDialog serverId={serverId} token={token} onClose={() => setForgetting(false)} />}
    </>
  );
}
