import { Menu } from '@mantine/core';
import { IconCheck, IconCopy, IconDownload } from '@tabler/icons-react';
import type { TextBody } from '../../../contract/generated/contract';
import { useHost, useServerPart } from '../../../model/workspace/context';
import { asCli, asJsonRpc, asMarkdown } from '../../../model/text/copyAs';
import { curlOf } from '../../../model/traffic/curl';
import { textOf } from '../../../model/text/textOf';
import { formatDateTime, formatDuration } from '../../../model/text/format';
import { type ToolCall, standingOf } from '../../../model/tools/toolCall';
import { IconButton } from '../../../widgets/controls/IconButton';
import { fileStem, saveBytes } from '../../../widgets/bytes/saveBytes';
import { useCopy } from '../../../widgets/controls/useCopy';
import { standingWords } from './standing';

interface CopyMenuProps {
  call: ToolCall;
  serverName: string;
  /** What was received, if anything was. */
  raw: TextBody | null;
}

/** The call and its result in the forms other programs want them. */
export function CopyMenu({ call, serverName, raw }: CopyMenuProps) {
  const host = useHost();
  const { words, isCopied, attempt, copy } = useCopy('Copy as');
  const isHttp = useServerPart(call.serverId, (server) => server?.draft.transport.type === 'http');

  const result = async (): Promise<string | null> => (raw === null ? null : textOf(host, raw));
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
  const save = (body: TextBody): Promise<void> =>
    attempt(async () =>
      saveBytes(await host.body(body.body), `${fileStem(call.tool)}.json`, 'application/json'),
    );

  const { tool, argumentsJson, options, requestSeq } = call;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <IconButton icon={isCopied ? IconCheck : IconCopy} label={words} />
      </Menu.Target>
      <Menu.Dropdown>
        {raw !== null && (
          <Menu.Item onClick={() => void copy(() => textOf(host, raw))}>Result, JSON as received</Menu.Item>
        )}
        <Menu.Item onClick={() => void copy(() => argumentsJson)}>Arguments, JSON</Menu.Item>
        <Menu.Item onClick={() => void copy(() => asJsonRpc(tool, argumentsJson, options.metaJson))}>
          JSON-RPC request
        </Menu.Item>
        <Menu.Item onClick={() => void copy(() => asCli(serverName, tool, argumentsJson))}>
          Command line
        </Menu.Item>
        {isHttp && requestSeq !== null && (
          <Menu.Item onClick={() => void copy(() => curlOf(host, requestSeq))}>
            cURL, secrets masked
          </Menu.Item>
        )}
        <Menu.Item onClick={() => void copy(report)}>Markdown report</Menu.Item>
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
