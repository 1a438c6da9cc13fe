import { TagsInput } from '@mantine/core';
import type { ServerForm } from '../../../model/servers/serverForm';
import { useServers } from '../../../model/workspace/context';

interface GroupsFieldProps {
  form: ServerForm;
  onChange: (change: Partial<ServerForm>) => void;
}

/** The groups that a server is listed and connected with. */
export function GroupsField({ form: { groups }, onChange }: GroupsFieldProps) {
  const all = useServers((state) => state.groups);
  return (
    <TagsInput
      label="Groups"
      description="The server is listed below each of them, and connected with them. A new name adds a group."
      data={[...all]}
      value={groups}
      maxLength={100}
      acceptValueOnBlur
      onChange={(chosen) => onChange({ groups: chosen })}
    />
  );
}
