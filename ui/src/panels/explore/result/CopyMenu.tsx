import { Menu } from '@mantine/core';
import { IconCheck, IconCopy, IconDownload } from '@tabler/icons-react';
import type { TextBody } from '../../../contract/generated';
import { useHost, useServerPart } from '../../../model/workspace/context';
import { asCli, asJsonRpc, asMarkdown } from '../../../model/text/copyAs';
import { curlOf } from '../../../model/traffic/curl';
import { textOf } from '../../../model/text/textOf';
import { formatDateTime, formatDuration } from '../../../model/text/format';
import { type Exchange, rawOf, statusOf } from '../../../model/exchange/exchange';
import type { ToolRequest } from '../../../model/exchange/request';
import { IconButton } from '../../../widgets/controls/IconButton';
import { fileStem, saveBytes } from '../../../widgets/bytes/saveBytes';
import { useCopy } from '../../../widgets/controls/useCopy';
import { statusWords } from './status';

interface CopyMenuProps {
  call: Exchange<ToolRequest>;
  serverName: string;
}

/** Copies the call and its result in the formats other programs read. */
export function CopyMenu({ call, serverName }: CopyMenuProps) {
  const host = useHost();
  const { requestSeq } = call;
  const raw = rawOf(call.outcome);
  const { name: tool, argumentsJson, options } = call.request;
  const { words, isCopied, attempt, copy } = useCopy('Copy as');
  const isHttp = useServerPart(call.serverId, (server) => server?.draft.transport.type === 'http');

  const result = async (): Promise<string | null> => (raw === null ? null : textOf(host, raw));
  async function report(): Promise<string> {
    return asMarkdown({
      server: serverName,
      tool,
      argumentsJson,
      outcome: statusWords(statusOf(call)),
      duration: call.durationMs === null ? null : formatDuration(call.durationMs),
      at: formatDateTime(call.startedAtMs),
      result: await result(),
    });
  }
  const save = (body: TextBody): Promise<void> =>
    attempt(async () => saveBytes(await host.body(body.body), `${fileStem(tool)}.json`, 'application/json'));

  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <IconButton icon={isCopied ? IconCheck : IconCopy} label={words} />
      </Menu.Target>
      <Menu.Dropdown>
        {raw !== null && (
          <Menu.Item onClick={() => void copy(() => textOf(host, raw))}>Result (JSON as received)</Menu.Item>
        )}
        <Menu.Item onClick={() => void copy(() => argumentsJson)}>Arguments (JSON)</Menu.Item>
        <Menu.Item onClick={() => void copy(() => asJsonRpc(tool, argumentsJson, options.metaJson))}>
          JSON-RPC request
        </Menu.Item>
        <Menu.Item onClick={() => void copy(() => asCli(serverName, tool, argumentsJson))}>
          Command line
        </Menu.Item>
        {isHttp && requestSeq !== null && (
          <Menu.Item onClick={() => void copy(() => curlOf(host, requestSeq))}>
            cURL (secrets masked)
          </Menu.Item>
        )}
        <Menu.Item onClick={() => void copy(report)}>Markdown report</Menu.Item>
        {raw !== null && (
          <>
            <Menu.Divider />
            <Menu.Item leftSection={<IconDownload size={14} />} onClick={() => void save(raw)}>
              Save result as file
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
