import { Group, TextInput } from '@mantine/core';
import { IconFolderOpen, IconX } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useState } from 'react';
import type { FolderCheckResponse, FolderState } from '../../contract/generated';
import type { RootDraft } from '../../model/servers/serverForm';
import { useFolderCheck } from '../../model/servers/useFolderCheck';
import { commandError } from '../../model/store/errors';
import { useHost } from '../../model/workspace/context';
import { IconButton } from '../controls/IconButton';
import type { RowActions } from '../controls/Rows';
import { LinkButton } from '../links/LinkButton';

const PROBLEMS: Record<Exclude<FolderState, 'ready'>, string> = {
  notAbsolute: 'The path must be absolute',
  missing: 'This folder does not exist',
  notAFolder: 'This is a file, not a folder',
  unreadable: 'You may not read this folder',
};

interface RootFolderProps extends RowActions<RootDraft> {
  root: RootDraft;
  /** Its place in the list, from 1. */
  number: number;
  /** Receives what the folder is, whenever that is known. */
  onFound?: (found: FolderCheckResponse | null) => void;
}

/** One root: its path as typed, chosen or dropped, whether it can be read, the URI that is sent, and its name. */
export function RootFolder({ root, number, onChange, onRemove, onFound }: RootFolderProps) {
  const host = useHost();
  const { path, name } = root;
  const found = useFolderCheck(path);
  const [failure, setFailure] = useState<string | null>(null);
  const tell = useEffectEvent((known: FolderCheckResponse | null) => onFound?.(known));
  useEffect(() => tell(found), [found]);
  const setPath = (next: string): void => onChange({ ...root, path: next });
  const choose = async (): Promise<void> => {
    setFailure(null);
    try {
      const chosen = await host.pickFolder?.(path);
      if (chosen !== null && chosen !== undefined) setPath(chosen);
    } catch (thrown) {
      setFailure(`No dialog could be shown: ${commandError(thrown).message}`);
    }
  };
  return (
    <Group gap={4} wrap="nowrap" align="flex-start">
      <TextInput
        aria-label={`Folder ${number}`}
        flex={2}
        value={path}
        spellCheck={false}
        placeholder="/path/to/project"
        classNames={{ input: 'pb-mono' }}
        error={failure ?? (found === null || found.state === 'ready' ? undefined : PROBLEMS[found.state])}
        description={<Facts found={found} onPath={setPath} />}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        onChange={(event) => setPath(event.currentTarget.value)}
      />
      <TextInput
        aria-label={`Name of folder ${number}`}
        flex={1}
        value={name}
        placeholder={lastPart(path) ?? 'Name'}
        onChange={(event) => onChange({ ...root, name: event.currentTarget.value })}
      />
      {host.pickFolder !== undefined && (
        <IconButton icon={IconFolderOpen} label={`Choose folder ${number}`} onClick={() => void choose()} />
      )}
      <IconButton icon={IconX} label={`Remove folder ${number}`} onClick={onRemove} />
    </Group>
  );
}

/** The name of a folder: the last part of its path; null for the root of a file system. */
export function lastPart(path: string): string | null {
  const last = path
    .trim()
    .split(/[/\\]+/)
    .findLast((part) => part !== '');
  return last === undefined || /^[a-z]:$/i.test(last) ? null : last;
}

function Facts({ found, onPath }: { found: FolderCheckResponse | null; onPath: (path: string) => void }) {
  if (found === null || found.uri === null) return null;
  const { uri, repository } = found;
  return (
    <>
      <span className="pb-mono">{uri}</span>
      {repository !== null && (
        <>
          {' · '}
          <LinkButton onClick={() => onPath(repository)}>Use the repository {repository}</LinkButton>
        </>
      )}
    </>
  );
}
