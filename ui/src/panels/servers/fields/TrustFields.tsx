import { Radio, Stack, Switch } from '@mantine/core';
import type { ServerForm } from '../../../model/servers/serverForm';

interface TrustFieldsProps {
  form: ServerForm;
  onChange: (change: Partial<ServerForm>) => void;
  /** Whether the trust in annotations has the focus when the dialog opens. */
  focusAnnotations: boolean;
}

/** The focus alone does not scroll to it. Stable, so that it is called once. */
const reveal = (element: HTMLElement | null): void => element?.scrollIntoView({ block: 'center' });

/** What is believed of a server: changes of its tools, and what it says about them. */
export function TrustFields({ form, onChange, focusAnnotations }: TrustFieldsProps) {
  return (
    <Stack gap="md">
      <Radio.Group
        label="Changed tool definitions"
        description="Definitions are remembered, without a review, when the tools are first listed."
        value={form.definitionTrust}
        onChange={(definitionTrust) => onChange({ definitionTrust })}
      >
        <Stack gap="xs" mt={4}>
          <Radio value="ask" label="Ask: refuse calls to a changed tool until I accept the change" />
          <Radio value="accept" label="Trust changes: accept them, and show them until I review them" />
        </Stack>
      </Radio.Group>
      <Switch
        label="Trust tool annotations"
        description="Allows chat rules that run its read-only tools without asking. Annotations are not verified."
        checked={form.trustAnnotations}
        data-autofocus={focusAnnotations || undefined}
        ref={focusAnnotations ? reveal : undefined}
        onChange={(event) => onChange({ trustAnnotations: event.currentTarget.checked })}
      />
    </Stack>
  );
}
