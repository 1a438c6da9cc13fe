import { Button } from '@mantine/core';
import { IconAppWindow } from '@tabler/icons-react';
import { Suspense, useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import type { ChatCall, ServerId, TextBody, ToolItem, ToolResultView } from '../../../contract/generated';
import { useToolDetail } from '../../../content/useToolDetail';
import type { ConversationStore } from '../../../model/chat/conversation';
import { formatSize } from '../../../model/text/format';
import type { AppCall } from '../../../model/tools/apps/appSession';
import { type ToolRow, appUri } from '../../../model/tools/tools';
import { useModel, useServers } from '../../../model/workspace/context';
import { lazyPart } from '../../../widgets/failure/lazyPart';
import { PartBoundary } from '../../../widgets/failure/PartBoundary';
import classes from './items.module.css';

// Most tools have no app.
const AppView = lazyPart(async () => (await import('../../../content/apps/AppView')).AppView);

/** The app that shows the results of a tool. */
export interface CallApp {
  serverId: ServerId;
  item: ToolItem;
  /** The list that the item is in. */
  rows: ToolRow[];
  uri: string;
}

/** The app of a call that has a result; null if its tool has none, or its server is not connected. */
export function useCallApp({ serverId, tool, result }: ChatCall): CallApp | null {
  const rows = useListedTools(result === null ? null : serverId);
  return useMemo(() => {
    const item = rows?.find((row) => row.item.name === tool)?.item;
    const uri = item === undefined ? null : appUri(item);
    if (serverId === null || rows === undefined || item === undefined || uri === null) return null;
    return { serverId, item, rows, uri };
  }, [serverId, rows, tool]);
}

interface CallAppProps {
  app: CallApp;
  call: ChatCall;
  conversation: ConversationStore;
}

/** Shows the app of a call that ended earlier. */
export function ShowApp({ app, call: { id, serverName, raw, cutFrom }, conversation }: CallAppProps) {
  const isCut = raw === undefined;
  return (
    <Button
      variant="subtle"
      color="gray"
      size="compact-xs"
      disabled={isCut}
      data-tip={
        isCut
          ? `The app cannot show this result: its ${formatSize(cutFrom ?? 0)} were not stored`
          : `Reads ${app.uri} from ${serverName} and shows this result with it`
      }
      leftSection={<IconAppWindow size={14} />}
      onClick={() => conversation.showApp(id, true)}
    >
      App
    </Button>
  );
}

/** The app of a call, in the conversation. */
export function AppOfCall({ app, call, conversation }: CallAppProps) {
  const { raw, result } = call;
  if (raw === undefined || result === null) return null;
  return (
    <div className={classes.app}>
      <PartBoundary resetKey={call.id}>
        <Suspense>
          <ShownApp app={app} call={call} raw={raw} result={result} conversation={conversation} />
        </Suspense>
      </PartBoundary>
    </div>
  );
}

/** The tools that a server lists now; undefined while they are not known. */
function useListedTools(serverId: ServerId | null): ToolRow[] | undefined {
  const { tools } = useModel();
  const connectionId = useServers(({ items }) => {
    const connection = items?.find(({ id }) => id === serverId)?.connection;
    return connection?.state === 'ready' ? connection.connectionId : null;
  });
  useEffect(() => {
    if (serverId !== null && connectionId !== null) tools.ensure(serverId, connectionId);
  }, [tools, serverId, connectionId]);
  const rows = useStore(tools, (lists) => (serverId === null ? undefined : lists[serverId]?.rows));
  return connectionId === null ? undefined : rows;
}

interface ShownAppProps extends CallAppProps {
  raw: TextBody;
  result: ToolResultView;
}

function ShownApp({ app: { serverId, item, rows, uri }, call, raw, result, conversation }: ShownAppProps) {
  const detail = useToolDetail(serverId, item, rows);
  useEffect(() => conversation.appBegan(call.id), [conversation, call.id]);
  const { argumentsJson, editedJson } = call;
  const shown = useMemo<AppCall>(
    () => ({
      argumentsJson: editedJson ?? argumentsJson,
      outcome: { type: 'result', raw, view: { type: 'tool', tool: result }, freshness: null },
    }),
    [argumentsJson, editedJson, raw, result],
  );
  if (detail.state === 'loading') return null;
  return (
    <AppView
      serverId={serverId}
      uri={uri}
      toolJson={detail.state === 'ready' ? detail.value.definitionJson : null}
      call={shown}
      chatId={conversation.chatId}
      onClose={() => conversation.showApp(call.id, false)}
    />
  );
}
