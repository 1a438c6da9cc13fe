import { Group, TextInput } from '@mantine/core';
import { IconFolderOpen, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { FolderFacts } from '../../contract/generated';
import { FOLDER_PROBLEMS } from '../../model/servers/roots/rootWords';
import type { RootDraft } from '../../model/servers/serverForm';
import { commandError } from '../../model/store/errors';
import { useHost } from '../../model/workspace/context';
import { IconButton } from '../controls/IconButton';
import type { RowActions } from '../controls/Rows';
import { LinkButton } from '../links/LinkButton';

interface RootFolderProps extends RowActions<RootDraft> {
  root: RootDraft;
  /** Its place in the list, from 1. */
  number: number;
  /** What the folder is, once that is known. */
  found: FolderFacts | null;
  /** The earlier place of the same folder in the list, from 1. */
  twin: number | null;
}

/** One root: its path as typed, chosen or dropped, whether it can be read, the URI that is sent, and its name. */
export function RootFolder({ root, number, found, twin, onChange, onRemove }: RootFolderProps) {
  const host = useHost();
  const { path, name } = root;
  const [failure, setFailure] = useState<string | null>(null);
  const setPath = (next: string): void => onChange({ ...root, path: next, from: 'user' });
  const choose = async (): Promise<void> => {
    setFailure(null);
    try {
      const chosen = await host.pickFolder?.(path);
      if (chosen !== null && chosen !== undefined) setPath(chosen);
    } catch (thrown) {
      setFailure(`The folder dialog could not be opened: ${commandError(thrown).message}`);
    }
  };
  const problem = found === null || found.state === 'ready' ? undefined : FOLDER_PROBLEMS[found.state];
  return (
    <Group gap={4} wrap="nowrap" align="flex-start">
      <TextInput
        aria-label={`Folder ${number}`}
        flex={2}
        value={path}
        spellCheck={false}
        placeholder="/path/to/project"
        classNames={{ input: 'pb-mono' }}
        error={failure ?? problem}
        description={<Facts root={root} found={found} twin={twin} onPath={setPath} />}
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

interface FactsProps extends Pick<RootFolderProps, 'root' | 'found' | 'twin'> {
  onPath: (path: string) => void;
}

function Facts({ root, found, twin, onPath }: FactsProps) {
  if (twin !== null) return `Same folder as folder ${twin}; sent only once.`;
  if (found === null || found.uri === null) return null;
  const { uri, repository, target } = found;
  return (
    <>
      <span className="pb-mono">{uri}</span>
      {target !== null && (
        <>
          {' · resolves to '}
          <span className="pb-mono">{target}</span>
        </>
      )}
      {repository !== null && (
        <>
          {' · '}
          <LinkButton onClick={() => onPath(repository)}>Use the repository {repository}</LinkButton>
        </>
      )}
      {root.from === 'pasted' && ' · From the pasted text: sent only after you allow it'}
    </>
  );
}
