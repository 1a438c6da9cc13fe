import { Button, Checkbox, Input, Radio, Stack } from '@mantine/core';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import type { RootSetItem } from '../../../contract/generated';
import type { ServerForm } from '../../../model/servers/serverForm';
import { spelled } from '../../../model/servers/roots/rootWords';
import { useFolderChecks } from '../../../model/servers/roots/useFolderChecks';
import { formatCount } from '../../../model/text/format';
import { useModel } from '../../../model/workspace/context';
import { RootFolders } from '../../../widgets/folders/RootFolders';
import { DeprecatedNote } from '../../../widgets/links/DeprecatedNote';
import { LinkButton } from '../../../widgets/links/LinkButton';

export interface RootsFieldsProps {
  form: ServerForm;
  problem?: string | undefined;
  onChange: (change: Partial<ServerForm>) => void;
}

/** How roots/list requests of a server are answered. */
export function RootsFields({ form, problem, onChange }: RootsFieldsProps) {
  return (
    <Stack gap="xs">
      <Radio.Group
        label="Roots"
        description="Folders sent when the server requests roots/list. The traffic log shows the rule that applied."
        value={form.roots}
        onChange={(roots) => onChange({ roots })}
      >
        <Stack gap="xs" mt={4}>
          <Radio value="none" label="Send an empty list" />
          <Radio value="ask" label="Ask me each time" />
          <Radio value="folders" label="Send these folders" />
        </Stack>
      </Radio.Group>
      {form.roots === 'folders' && (
        <>
          <Input.Description>
            The server may read and change their contents. A connected server is notified of each change. A
            folder that cannot be read is left out.
          </Input.Description>
          <RootFolders roots={form.rootFolders} onRoots={(rootFolders) => onChange({ rootFolders })} />
          <Suggestion form={form} onChange={onChange} />
          {problem !== undefined && <Input.Error role="alert">{problem}</Input.Error>}
          <SharedSets form={form} onChange={onChange} />
        </>
      )}
      <DeprecatedNote feature="roots" />
    </Stack>
  );
}

/** The repository around the working directory of a program, or that directory. */
function Suggestion({ form, onChange }: Pick<RootsFieldsProps, 'form' | 'onChange'>) {
  const cwd = form.transport === 'stdio' ? form.cwd.trim() : '';
  const found = useFolderChecks([cwd]).get(cwd);
  if (found?.state !== 'ready') return null;
  const path = found.repository ?? cwd;
  if (form.rootFolders.some((root) => spelled(root.path) === spelled(path))) return null;
  const add = (): void => {
    const kept = form.rootFolders.filter((root) => root.path.trim() !== '');
    onChange({ rootFolders: [...kept, { path, name: '', from: 'user' }] });
  };
  return (
    <Input.Description>
      <LinkButton onClick={add}>
        Add {path}, {found.repository === null ? 'the working directory' : 'the repository it works in'}
      </LinkButton>
    </Input.Description>
  );
}

/** The shared sets that the server uses too. */
function SharedSets({ form, onChange }: Pick<RootsFieldsProps, 'form' | 'onChange'>) {
  const { roots, workspace } = useModel();
  const sets = useStore(roots, (state) => state.sets);
  const error = useStore(roots, (state) => state.setsError);
  useEffect(() => void roots.refreshSets(), [roots]);
  const known = new Set(sets?.map(({ id }) => id));
  const gone = sets === undefined ? [] : form.rootSets.filter((id) => !known.has(id));
  const edit = (
    <Button
      variant="subtle"
      size="compact-sm"
      style={{ alignSelf: 'flex-start' }}
      onClick={() => workspace.setState({ rootSetsOpen: true })}
    >
      Edit shared sets…
    </Button>
  );
  return (
    <Stack gap={4}>
      {(sets ?? []).length + gone.length > 0 && (
        <Checkbox.Group
          label="Shared sets"
          description="Their folders are also sent, each after you allow it for this server."
          value={form.rootSets}
          onChange={(chosen) =>
            onChange({
              rootSets: [...(sets ?? []).map(({ id }) => id), ...gone].filter((id) => chosen.includes(id)),
            })
          }
        >
          <Stack gap={4} mt={4}>
            {sets?.map((set) => (
              <Checkbox key={set.id} value={set.id} label={set.name} description={contentInWords(set)} />
            ))}
            {gone.map((id) => (
              <Checkbox key={id} value={id} label="A set that was removed" />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
      {error !== null && <Input.Error>{error.message}</Input.Error>}
      {edit}
    </Stack>
  );
}

/** How many paths are listed in words. */
const LISTED = 3;

function contentInWords({ folders }: RootSetItem): string {
  if (folders.length === 0) return 'No folders';
  const paths = folders.slice(0, LISTED).map(({ path }) => path);
  const more = folders.length - paths.length;
  return more > 0 ? `${paths.join(', ')} and ${formatCount(more)} more` : paths.join(', ');
}
