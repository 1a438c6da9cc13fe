import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { ServerId, TokenItem } from '../../contract/generated';
import { useAuthorization, useModel, useServerName } from '../../model/workspace/context';

interface ForgetDialogProps {
  serverId: ServerId;
  token: TokenItem | null;
  onClose: () => void;
}

/** Confirms that a token is revoked and forgotten, or what else is stored. */
export function ForgetDialog({ serverId, token, onClose }: ForgetDialogProps) {
  const { authorizations } = useModel();
  const { busy } = useAuthorization(serverId);
  const name = useServerName(serverId) ?? '';
  return (
    <Modal
      opened
      onClose={onClose}
      title={token === null ? `Forget the authorization of ${name}?` : `Forget the token of ${name}?`}
      size={460}
    >
      <Stack gap="md">
        {token === null ? (
          <Text>
            Patchbay deletes what it stores for the authorization of this server: the client registration, and
            tokens if there are any that cannot be read, which are not revoked. The next request that needs a
            token starts authorization again.
          </Text>
        ) : (
          <Text>
            Patchbay asks <span className="pb-mono">{token.issuer}</span> to revoke{' '}
            {token.hasRefresh ? 'the access token and the refresh token' : 'the access token'}, if it supports
            revocation, and forgets the tokens and the client registration. The next request that needs a
            token starts authorization again.
          </Text>
        )}
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
            {token === null ? 'Forget' : 'Revoke and forget'}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
