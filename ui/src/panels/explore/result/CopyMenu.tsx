import { Menu } from '@mantine/core';
import { IconCheck, IconCopy, IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import type { BodyId, TextBody } from '../../../contract/generated/contract';
import { useHost } from '../../../model/context';
import { asCli, asJsonRpc, asMarkdown } from '../../../model/copyAs';
import { commandError } from '../../../model/errors';
import { formatDateTime, formatDuration } from '../../../model/format';
import { type ToolCall, standingOf } from '../../../model/toolCall';
import { IconButton } from '../../../widgets/IconButton';
import { fileStem, saveBytes } from '../../../widgets/saveBytes';
import { standingWords } from './standing';

interface CopyMenuProps {
  call: ToolCall;
  serverName: string;
  /** What was received, if anything was. */
  raw: TextBody | null;
}

type Done = { type: 'copied' } | { type: 'failed'; why: string } | null;

/** The call and its result in the forms other programs want them. */
export function CopyMenu({ call, serverName, raw }: CopyMenuProps) {
  const host = useHost();
  const [done, setDone] = useState<Done>(null);

  async function text(id: BodyId): Promise<string> {
    return new TextDecoder().decode(await host.body(id));
  }
  async function result(): Promise<string | null> {
    if (raw === null) return null;
    return raw.inline ?? text(raw.body);
  }
  async function report(): Promise<string> {
    return asMarkdown({
      server: serverName,
      tool: call.tool,
      argumentsJson: call.argumentsJson,
      standing: standingWords(standingOf(call)),
      duration: call.durationMs === null ? null : formatDuration(call.durationMs),
      at: formatDateTime(call.startedAtMs),
      result: await result(),
    });
  }
  function copy(make: () => string | Promise<string>): void {
    const write = async (): Promise<void> => {
      try {
        await navigator.clipboard.writeText(await make());
        setDone({ type: 'copied' });
      } catch (thrown) {
        setDone({ type: 'failed', why: commandError(thrown).message });
      }
      setTimeout(() => setDone(null), 2000);
    };
    void write();
  }

  async function save(body: TextBody): Promise<void> {
    try {
      saveBytes(await host.body(body.body), `${fileStem(call.tool)}.json`, 'application/json');
    } catch (thrown) {
      setDone({ type: 'failed', why: commandError(thrown).message });
    }
  }

  const { tool, argumentsJson, options } = call;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <IconButton
          icon={done?.type === 'copied' ? IconCheck : IconCopy}
          label={done === null ? 'Copy as' : done.type === 'copied' ? 'Copied' : `Failed: ${done.why}`}
        />
      </Menu.Target>
      <Menu.Dropdown>
        {raw !== null && (
          <Menu.Item onClick={() => copy(async () => (await result()) ?? '')}>
            Result, JSON as received
          </Menu.Item>
        )}
        <Menu.Item onClick={() => copy(() => argumentsJson)}>Arguments, JSON</Menu.Item>
        <Menu.Item onClick={() => copy(() => asJsonRpc(tool, argumentsJson, options.metaJson))}>
          JSON-RPC request
        </Menu.Item>
        <Menu.Item onClick={() => copy(() => asCli(serverName, tool, argumentsJson))}>Command line</Menu.Item>
        <Menu.Item onClick={() => copy(report)}>Markdown report</Menu.Item>
        {raw !== null && (
          <>
            <Menu.Divider />
            <Menu.Item leftSection={<IconDownload size={14} />} onClick={() => void save(raw)}>
              Save the result as a file
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
