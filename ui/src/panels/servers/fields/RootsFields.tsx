import { Input, Radio, Stack } from '@mantine/core';
import type { ServerForm } from '../../../model/servers/serverForm';
import { RootFolder } from './RootFolder';
import { Rows } from './Rows';

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
        <div role="group" aria-label="Folders">
          <Input.Description mb={4}>
            The server may read and change what is in them. A connected server is told about each change.
          </Input.Description>
          <Rows
            rows={form.rootFolders.length === 0 ? [''] : form.rootFolders}
            onChange={(rootFolders) => onChange({ rootFolders })}
            noun="folder"
            blank=""
          >
            {(path, index, actions) => <RootFolder path={path} number={index + 1} {...actions} />}
          </Rows>
        </div>
      )}
    </Stack>
  );
}
