import { Radio, Stack } from '@mantine/core';
import type { ServerForm } from '../../../model/servers/serverForm';

interface DefinitionTrustFieldProps {
  form: ServerForm;
  onChange: (change: Partial<ServerForm>) => void;
}

/** What happens when a server changes the definition of a tool. */
export function DefinitionTrustField({ form, onChange }: DefinitionTrustFieldProps) {
  return (
    <Radio.Group
      label="Changed tool definitions"
      description="Definitions are remembered, without a review, when the tools are first listed."
      value={form.definitionTrust}
      onChange={(definitionTrust) => onChange({ definitionTrust })}
    >
      <Stack gap="xs" mt={4}>
        <Radio value="ask" label="Ask: refuse calls of a changed tool until I accept the change" />
        <Radio value="accept" label="Trust changes: accept them, and show them until I review them" />
      </Stack>
    </Radio.Group>
  );
}
