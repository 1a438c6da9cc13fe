import { Code, Input } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { useHost } from '../../model/context';

/** Where values that may be secret are kept. Said before one is typed, not after. */
export function WhereStored({ children }: { children: ReactNode }) {
  const host = useHost();
  const [file, setFile] = useState<string | null>(null);
  useEffect(() => {
    let current = true;
    host
      .call('app_info', {})
      .then(({ configFile }) => current && setFile(configFile))
      // The name of the file says enough.
      .catch(() => {});
    return () => {
      current = false;
    };
  }, [host]);
  return (
    <Input.Description size="xs" mb={6} className="pb-selectable">
      Stored as plain text in <Code style={{ overflowWrap: 'anywhere' }}>{file ?? 'servers.json'}</Code>.{' '}
      {children}
    </Input.Description>
  );
}
