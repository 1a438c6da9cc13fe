import { Button, Modal, Text } from '@mantine/core';
import { type MouseEvent, type ReactNode, useState } from 'react';
import type { CommandError } from '../../contract/generated';
import { useHost } from '../../model/workspace/context';
import { commandError } from '../../model/store/errors';
import { CommandAlert } from '../failure/CommandAlert';
import { onMiddleClick } from './middleClick';

interface ExternalLinkProps {
  url: string;
  children: ReactNode;
}

/** A link from a server. It opens in the system's browser, after its whole address is shown. */
export function ExternalLink({ url, children }: ExternalLinkProps) {
  const host = useHost();
  const [asking, setAsking] = useState(false);
  const [error, setError] = useState<CommandError | null>(null);
  const ask = (event: MouseEvent): void => {
    event.preventDefault();
    setError(null);
    setAsking(true);
  };
  const open = async (): Promise<void> => {
    try {
      await host.call('link_open', { url });
      setAsking(false);
    } catch (thrown) {
      setError(commandError(thrown));
    }
  };
  return (
    <>
      <a href={url} onClick={ask} onAuxClick={onMiddleClick(ask)} rel="noreferrer">
        {children}
      </a>
      <Modal opened={asking} onClose={() => setAsking(false)} title="Open in the browser?">
        <Text className="pb-mono pb-selectable" style={{ overflowWrap: 'anywhere' }}>
          {url}
        </Text>
        <Text c="dimmed" mt="xs">
          This URL was sent by the server.
        </Text>
        {error !== null && <CommandAlert error={error} />}
        <div style={{ display: 'flex', gap: 8, justifyContent: 'flex-end', marginTop: 16 }}>
          <Button variant="default" onClick={() => setAsking(false)}>
            Cancel
          </Button>
          <Button data-autofocus onClick={() => void open()}>
            Open
          </Button>
        </div>
      </Modal>
    </>
  );
}
