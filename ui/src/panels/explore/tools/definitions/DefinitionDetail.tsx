import { Button } from '@mantine/core';
import { useCallback } from 'react';
import type { ServerId, ToolDefinitionDiffResponse } from '../../../../contract/generated';
import { formatCount } from '../../../../model/text/format';
import { useHost } from '../../../../model/workspace/context';
import { DefinitionDiff } from './DefinitionDiff';

interface DefinitionDetailProps {
  serverId: ServerId;
  name: string;
  onAccept: (listing: string) => void;
}

/** How the definition of one tool differs from the remembered one. Mounted again for another tool or listing. */
export function DefinitionDetail({ serverId, name, onAccept }: DefinitionDetailProps) {
  const host = useHost();
  const load = useCallback(
    () => host.call('tool_definition_diff', { serverId, name }),
    [host, serverId, name],
  );
  return (
    <DefinitionDiff
      load={load}
      label="Changes to the tool"
      name={name}
      renderAction={({ tool, listing }) => (
        <Button size="compact-sm" onClick={() => onAccept(listing)} data-accept>
          {{ added: 'Accept', changed: 'Accept change', removed: 'Forget definition' }[tool.change]}
        </Button>
      )}
      notes={(diff) => [explanation(diff)]}
    />
  );
}

function explanation({ tool, before, after }: ToolDefinitionDiffResponse): string {
  if (tool.change === 'added')
    return 'New tool. It can be called; Patchbay reports later changes to its definition.';
  if (tool.change === 'removed') return 'The server no longer lists this tool.';
  const times =
    before.length === after.length || before.length === 0
      ? ''
      : ` The name is listed ${formatCount(after.length, 'time')} instead of ${before.length}.`;
  return tool.refused
    ? `Calls are refused until you accept the change.${times}`
    : `Accepted without asking, because this server is trusted.${times}`;
}
