import { Menu } from '@mantine/core';
import { IconCheck, IconCopy, IconDownload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { TextBody } from '../../../contract/generated';
import { useHost, useServerName, useServerPart } from '../../../model/workspace/context';
import { asCli, asJsonRpc, asMarkdown } from '../../../model/text/copyAs';
import { curlOf } from '../../../model/traffic/curl';
import { bodyOf, textOf } from '../../../model/text/textOf';
import { formatDateTime, formatDuration } from '../../../model/text/format';
import { type Exchange, rawOf, statusOf } from '../../../model/exchange/exchange';
import { argumentsOf, subjectOf } from '../../../model/exchange/request';
import { IconButton } from '../../../widgets/controls/IconButton';
import { fileStem, saveBytes } from '../../../widgets/bytes/saveBytes';
import { useCopy } from '../../../widgets/controls/useCopy';
import { statusWords } from './status';

interface CopyMenuProps {
  exchange: Exchange;
  /** What else can be copied of this kind of result. */
  children?: (copy: (make: () => string | Promise<string>) => void) => ReactNode;
}

/** Copies a request and its result in the formats other programs read. */
export function CopyMenu({ exchange, children }: CopyMenuProps) {
  const host = useHost();
  const { request, requestSeq, serverId } = exchange;
  const raw = rawOf(exchange.outcome);
  const given = argumentsOf(request);
  const { words, isCopied, attempt, copy } = useCopy('Copy as');
  const serverName = useServerName(serverId) ?? serverId;
  // The command finds a server by the name in its settings; what it calls itself may be the name of another one.
  const savedName = useServerPart(serverId, (server) => server?.draft.name) ?? serverId;
  const isHttp = useServerPart(serverId, (server) => server?.draft.transport.type === 'http');

  const result = async (): Promise<string | null> => (raw === null ? null : textOf(host, raw));
  async function report(): Promise<string> {
    return asMarkdown({
      server: serverName,
      request,
      outcome: statusWords(statusOf(exchange)),
      duration: exchange.durationMs === null ? null : formatDuration(exchange.durationMs),
      at: formatDateTime(exchange.startedAtMs),
      result: await result(),
    });
  }
  const save = (body: TextBody): Promise<void> =>
    attempt(async () =>
      saveBytes(await bodyOf(host, body.body), `${fileStem(subjectOf(request))}.json`, 'application/json'),
    );

  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <IconButton icon={isCopied ? IconCheck : IconCopy} label={words} />
      </Menu.Target>
      <Menu.Dropdown>
        {raw !== null && (
          <Menu.Item onClick={() => void copy(() => textOf(host, raw))}>Result (JSON as received)</Menu.Item>
        )}
        {children?.((make) => void copy(make))}
        {given !== '' && <Menu.Item onClick={() => void copy(() => given)}>Arguments (JSON)</Menu.Item>}
        <Menu.Item onClick={() => void copy(() => asJsonRpc(request))}>JSON-RPC request</Menu.Item>
        <Menu.Item onClick={() => void copy(() => asCli(savedName, request))}>Command line</Menu.Item>
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
