import { Stack, Switch } from '@mantine/core';
import type { AutomaticDraft } from '../../../contract/generated';
import type { ServerForm } from '../../../model/servers/serverForm';

interface AutomaticFieldsProps {
  form: ServerForm;
  onChange: (change: Partial<ServerForm>) => void;
}

/** What Patchbay does by itself to have the server connected. */
export function AutomaticFields({ form: { automatic }, onChange }: AutomaticFieldsProps) {
  const change = (part: Partial<AutomaticDraft>): void => onChange({ automatic: { ...automatic, ...part } });
  return (
    <Stack gap="md">
      <Switch
        label="Connect when Patchbay starts"
        description="No browser or dialog opens: a server that needs your input, such as authorization, waits."
        checked={automatic.connect}
        onChange={(event) => change({ connect: event.currentTarget.checked })}
      />
      <Switch
        label="Reconnect when the connection is lost"
        description="Up to 10 attempts, 1 s to 1 min apart. Not after you disconnect."
        checked={automatic.reconnect}
        onChange={(event) => change({ reconnect: event.currentTarget.checked })}
      />
    </Stack>
  );
}
