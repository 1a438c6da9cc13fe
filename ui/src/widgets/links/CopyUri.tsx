import { CopyButton } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { IconButton } from '../controls/IconButton';

/** Copies a URI. */
export function CopyUri({ uri }: { uri: string }) {
  return (
    <CopyButton value={uri}>
      {({ copied, copy }) => (
        <IconButton
          icon={copied ? IconCheck : IconCopy}
          label={copied ? 'Copied' : 'Copy URI'}
          onClick={copy}
        />
      )}
    </CopyButton>
  );
}
