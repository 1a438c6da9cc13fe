import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { ServerId, TokenItem } from '../../contract/generated';
import { useAuthorization, useModel, useServerName } from '../../model/workspace/context';

interface ForgetDialogProps {
  serverId: ServerId;
  token: TokenItem;
  onClose: () => void;
}

/** Confirms that a token is revoked and forgotten. */
export function ForgetDialog({ serverId, token, onClose }: ForgetDialogProps) {
  const { authorizations } = useModel();
  const { busy } = useAuthorization(serverId);
  const name = useServerName(serverId) ?? '';
  return (
    <Modal opened onClose={onClose} title={`Forget the token of ${name}?`} size={460}>
      <Stack gap="md">
        <Text>
          Patchbay asks <span className="pb-mono">{token.issuer}</span> to revoke{' '}
          {token.hasRefresh ? 'the access token and the refresh token' : 'the access token'}, if it supports
          revocation, and forgets the tokens and the client registration. The next request that needs a token
          starts authorization again.
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button
            color="red"
            loading={busy}
            onClick={() => {
              void authorizations.forget(serverId);
              onClose();
            }}
          >
            Revoke and forget
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
