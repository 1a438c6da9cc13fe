import { Input, Radio, Stack } from '@mantine/core';
import type { ServerForm } from '../../../model/servers/serverForm';
import { RootFolders } from '../../../widgets/folders/RootFolders';
import { DeprecatedNote } from '../../../widgets/links/DeprecatedNote';

export interface RootsFieldsProps {
  form: ServerForm;
  onChange: (change: Partial<ServerForm>) => void;
}

/** How roots/list requests of a server are answered. */
export function RootsFields({ form, onChange }: RootsFieldsProps) {
  return (
    <Stack gap="xs">
      <Radio.Group
        label="Roots"
        description="Folders sent when the server requests roots/list. The log names the rule that answered."
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
            The server may read and change what is in them. A connected server is told about each change.
          </Input.Description>
          <RootFolders roots={form.rootFolders} onRoots={(rootFolders) => onChange({ rootFolders })} />
        </>
      )}
      <DeprecatedNote feature="roots" />
    </Stack>
  );
}
