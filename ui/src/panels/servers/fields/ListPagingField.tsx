import { Radio, Stack } from '@mantine/core';
import type { ServerForm } from '../../../model/servers/serverForm';

interface ListPagingFieldProps {
  form: ServerForm;
  onChange: (change: Partial<ServerForm>) => void;
}

/** How the pages of a server's lists are requested. */
export function ListPagingField({ form, onChange }: ListPagingFieldProps) {
  return (
    <Radio.Group
      label="List pagination"
      description="Resources, templates, prompts and skills. Tool lists are always requested in full."
      value={form.listPaging}
      onChange={(listPaging) => onChange({ listPaging })}
    >
      <Stack gap="xs" mt={4}>
        <Radio value="all" label="Request all pages" />
        <Radio value="pageByPage" label="Request the first page, and further pages on demand" />
      </Stack>
    </Radio.Group>
  );
}
