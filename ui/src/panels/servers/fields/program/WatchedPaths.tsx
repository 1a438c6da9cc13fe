import { Group, Input, TextInput } from '@mantine/core';
import { IconFolderOpen, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { FolderFacts } from '../../../../contract/generated';
import { relative, resolved } from '../../../../model/servers/fileWatch/fileWatchForm';
import { useFolderChecks } from '../../../../model/servers/roots/useFolderChecks';
import { commandError } from '../../../../model/store/errors';
import { useHost } from '../../../../model/workspace/context';
import { IconButton } from '../../../../widgets/controls/IconButton';
import { type RowActions, Rows } from '../../../../widgets/controls/Rows';
import { useWindowDrop } from '../../../../widgets/layout/useWindowDrop';

interface WatchedPathsProps {
  paths: string[];
  /** The working directory of the server, as typed. */
  cwd: string;
  problem: string | undefined;
  onChange: (paths: string[]) => void;
}

/** The files and folders that are watched. In the window, they can be dropped onto the list. */
export function WatchedPaths({ paths, cwd, problem, onChange }: WatchedPathsProps) {
  const { place, accepts } = useWindowDrop<HTMLDivElement>((dropped) => {
    const fresh = dropped.map((path) => relative(path, cwd)).filter((path) => !paths.includes(path));
    onChange([...paths.filter((path) => path.trim() !== ''), ...fresh]);
  });
  const whole = paths.map((path) => resolved(path, cwd));
  const facts = useFolderChecks(whole.filter((path) => path !== null));
  return (
    <div ref={place} role="group" aria-label="Watched paths">
      <Input.Label size="xs">Watched files and folders</Input.Label>
      <Input.Description>
        Relative paths begin at the working directory{cwd.trim() === '' ? ' (the home directory)' : ''}.
        {accepts && ' Files and folders can be dropped here.'}
      </Input.Description>
      <Rows rows={paths.length === 0 ? [''] : paths} onChange={onChange} noun="path" blank="">
        {(path, index, actions) => (
          <WatchedPath
            path={path}
            number={index + 1}
            cwd={cwd}
            found={facts.get(whole[index] ?? '') ?? null}
            {...actions}
          />
        )}
      </Rows>
      {problem !== undefined && <Input.Error role="alert">{problem}</Input.Error>}
    </div>
  );
}

interface WatchedPathProps extends RowActions<string> {
  path: string;
  /** Its place in the list, from 1. */
  number: number;
  cwd: string;
  found: FolderFacts | null;
}

function WatchedPath({ path, number, cwd, found, onChange, onRemove }: WatchedPathProps) {
  const host = useHost();
  const [failure, setFailure] = useState<string | null>(null);
  const choose = async (): Promise<void> => {
    setFailure(null);
    try {
      const chosen = await host.pickFolder?.(resolved(path, cwd) ?? cwd);
      if (chosen !== null && chosen !== undefined) onChange(relative(chosen, cwd));
    } catch (thrown) {
      setFailure(`No dialog could be shown: ${commandError(thrown).message}`);
    }
  };
  return (
    <Group gap={4} wrap="nowrap" align="flex-start">
      <TextInput
        aria-label={`Watched path ${number}`}
        flex={1}
        value={path}
        spellCheck={false}
        placeholder="src"
        classNames={{ input: 'pb-mono' }}
        error={failure}
        description={wordsOf(found)}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {host.pickFolder !== undefined && (
        <IconButton
          icon={IconFolderOpen}
          label={`Choose watched path ${number}`}
          onClick={() => void choose()}
        />
      )}
      <IconButton icon={IconX} label={`Remove watched path ${number}`} onClick={onRemove} />
    </Group>
  );
}

/** What is at a path; a missing path is not an error: it may appear later. */
function wordsOf(found: FolderFacts | null): string | null {
  switch (found?.state) {
    case undefined:
    case 'ready':
      return null;
    case 'notAFolder':
      return 'A single file';
    case 'missing':
      return 'There is nothing at this path yet. It is watched when there is.';
    case 'unreadable':
      return 'You may not read this folder.';
    case 'notAnswering':
      return 'Its file system does not answer.';
    case 'notAbsolute':
      return null;
  }
}
