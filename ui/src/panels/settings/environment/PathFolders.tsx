import { Group, Input, TextInput } from '@mantine/core';
import { IconFolderOpen, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { CommandError } from '../../../contract/generated';
import { useFolderChecks } from '../../../model/servers/roots/useFolderChecks';
import { commandError } from '../../../model/store/errors';
import { useHost } from '../../../model/workspace/context';
import { IconButton } from '../../../widgets/controls/IconButton';
import { Rows } from '../../../widgets/controls/Rows';
import { CommandAlert } from '../../../widgets/failure/CommandAlert';
import { folderProblem } from './pathWords';
import classes from './environment.module.css';

interface PathFoldersProps {
  label: string;
  text: string;
  folders: readonly string[];
  /** What `~` means, if that is known. */
  home: string | null;
  onChange: (folders: string[]) => void;
}

/** Folders that are added to PATH, one in a row. */
export function PathFolders({ label, text, folders, home, onChange }: PathFoldersProps) {
  const host = useHost();
  const [error, setError] = useState<CommandError | null>(null);
  const whole = (typed: string): string => {
    const folder = typed.trim();
    return home !== null && /^~(?=[/\\]|$)/.test(folder) ? home + folder.slice(1) : folder;
  };
  const facts = useFolderChecks(folders.map(whole));

  const problemOf = (typed: string): string | undefined =>
    folderProblem(whole(typed), facts.get(whole(typed)));

  async function choose(from: string): Promise<string | null> {
    setError(null);
    try {
      return (await host.pickFolder?.(whole(from))) ?? null;
    } catch (thrown) {
      setError(commandError(thrown));
      return null;
    }
  }

  return (
    <Input.Wrapper label={label} description={text} labelElement="div" role="group" aria-label={label}>
      <Rows rows={folders} onChange={onChange} noun="folder" blank="">
        {(folder, index, actions) => (
          <Group gap={4} wrap="nowrap" align="flex-start">
            <TextInput
              aria-label={`${label}: folder ${index + 1}`}
              flex={1}
              value={folder}
              spellCheck={false}
              autoComplete="off"
              placeholder="/opt/tools/bin"
              classNames={{ input: 'pb-mono' }}
              // It is added all the same: a folder may be made later. Below the field, the mark would move what is clicked next.
              rightSection={<Mark problem={problemOf(folder)} />}
              rightSectionWidth={problemOf(folder) === undefined ? 0 : 120}
              rightSectionPointerEvents="none"
              onChange={(event) => actions.onChange(event.currentTarget.value)}
            />
            {host.pickFolder !== undefined && (
              <IconButton
                icon={IconFolderOpen}
                label={`Choose folder ${index + 1}`}
                onClick={() =>
                  void choose(folder).then((chosen) => chosen !== null && actions.onChange(chosen))
                }
              />
            )}
            <IconButton icon={IconX} label={`Remove folder ${index + 1}`} onClick={actions.onRemove} />
          </Group>
        )}
      </Rows>
      {error !== null && <CommandAlert error={error} onClose={() => setError(null)} />}
    </Input.Wrapper>
  );
}

function Mark({ problem }: { problem: string | undefined }) {
  return problem === undefined ? null : <span className={classes.mark}>{problem}</span>;
}
