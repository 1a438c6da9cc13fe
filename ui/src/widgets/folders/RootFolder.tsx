import { Group, TextInput } from '@mantine/core';
import { IconFolderOpen, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { FolderCheckResponse, FolderState } from '../../../contract/generated';
import { commandError } from '../../../model/store/errors';
import { useFolderCheck } from '../../../model/servers/useFolderCheck';
import { useHost } from '../../../model/workspace/context';
import { IconButton } from '../../../widgets/controls/IconButton';
import { LinkButton } from '../../../widgets/links/LinkButton';
import type { RowActions } from './Rows';

const PROBLEMS: Record<Exclude<FolderState, 'ready'>, string> = {
  notAbsolute: 'The path must be absolute',
  missing: 'This folder does not exist',
  notAFolder: 'This is a file, not a folder',
  unreadable: 'You may not read this folder',
};

interface RootFolderProps extends RowActions<string> {
  path: string;
  /** Its place in the list, from 1. */
  number: number;
}

/** One root: its path as typed or chosen, whether it can be read, and the URI that is sent. */
export function RootFolder({ path, number, onChange, onRemove }: RootFolderProps) {
  const host = useHost();
  const found = useFolderCheck(path);
  const [failure, setFailure] = useState<string | null>(null);
  const choose = async (): Promise<void> => {
    setFailure(null);
    try {
      const chosen = await host.pickFolder?.(path);
      if (chosen !== null && chosen !== undefined) onChange(chosen);
    } catch (thrown) {
      setFailure(`No dialog could be shown: ${commandError(thrown).message}`);
    }
  };
  return (
    <Group gap={4} wrap="nowrap" align="flex-start">
      <TextInput
        aria-label={`Folder ${number}`}
        flex={1}
        value={path}
        spellCheck={false}
        placeholder="/path/to/project"
        classNames={{ input: 'pb-mono' }}
        error={failure ?? (found === null || found.state === 'ready' ? undefined : PROBLEMS[found.state])}
        description={<Facts found={found} onChange={onChange} />}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {host.pickFolder !== undefined && (
        <IconButton icon={IconFolderOpen} label={`Choose folder ${number}`} onClick={() => void choose()} />
      )}
      <IconButton icon={IconX} label={`Remove folder ${number}`} onClick={onRemove} />
    </Group>
  );
}

function Facts({ found, onChange }: { found: FolderCheckResponse | null; onChange: (path: string) => void }) {
  if (found === null || found.uri === null) return null;
  const { uri, repository } = found;
  return (
    <>
      <span className="pb-mono">{uri}</span>
      {repository !== null && (
        <>
          {' · '}
          <LinkButton onClick={() => onChange(repository)}>Use the repository {repository}</LinkButton>
        </>
      )}
    </>
  );
}
