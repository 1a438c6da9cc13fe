import { Button } from '@mantine/core';
import { IconAppWindow } from '@tabler/icons-react';
import { Suspense, useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { ChatCall, ServerId, TextBody, ToolItem, ToolResultView } from '../../../contract/generated';
import type { ConversationStore } from '../../../model/chat/conversation';
import { formatSize } from '../../../model/text/format';
import type { AppCall } from '../../../model/tools/apps/appSession';
import { appUri } from '../../../model/tools/tools';
import { useHost, useModel, useServers } from '../../../model/workspace/context';
import { lazyPart } from '../../../widgets/failure/lazyPart';
import { PartBoundary } from '../../../widgets/failure/PartBoundary';
import classes from './items.module.css';

// Most tools have no app.
const AppView = lazyPart(async () => (await import('../../../content/apps/AppView')).AppView);

/** The app that shows the results of a tool. */
export interface CallApp {
  serverId: ServerId;
  item: ToolItem;
  uri: string;
}

/** The app of a call that has a result; null if its tool has none, or its server is not connected. */
export function useCallApp({ serverId, tool, result }: ChatCall): CallApp | null {
  const item = useListedTool(result === null ? null : serverId, tool);
  const uri = item === undefined ? null : appUri(item);
  return serverId === null || item === undefined || uri === null ? null : { serverId, item, uri };
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
          ? `The app cannot show this result: its ${formatSize(cutFrom ?? 0)} are not kept`
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

/** The tool as the server lists it now; undefined while that is not known, or if it does not. */
function useListedTool(serverId: ServerId | null, name: string): ToolItem | undefined {
  const { tools } = useModel();
  const connectionId = useServers(({ items }) => {
    const connection = items?.find(({ id }) => id === serverId)?.connection;
    return connection?.state === 'ready' ? connection.connectionId : null;
  });
  useEffect(() => {
    if (serverId !== null && connectionId !== null) tools.ensure(serverId, connectionId);
  }, [tools, serverId, connectionId]);
  const rows = useStore(tools, (lists) => (serverId === null ? undefined : lists[serverId]?.rows));
  return useMemo(
    () => (connectionId === null ? undefined : rows?.find(({ item }) => item.name === name)?.item),
    [connectionId, rows, name],
  );
}

interface ShownAppProps extends CallAppProps {
  raw: TextBody;
  result: ToolResultView;
}

function ShownApp({ app: { serverId, item, uri }, call, raw, result, conversation }: ShownAppProps) {
  const definition = useDefinition(serverId, item);
  const { argumentsJson, editedJson } = call;
  const shown = useMemo<AppCall>(
    () => ({
      argumentsJson: editedJson ?? argumentsJson,
      outcome: { type: 'result', raw, view: { type: 'tool', tool: result }, freshness: null },
    }),
    [argumentsJson, editedJson, raw, result],
  );
  if (definition === undefined) return null;
  return (
    <AppView
      serverId={serverId}
      uri={uri}
      toolJson={definition}
      call={shown}
      chatId={conversation.chatId}
      onClose={() => conversation.showApp(call.id, false)}
    />
  );
}

/** The definition of a tool as JSON text: null if it cannot be had, undefined until that is known. */
function useDefinition(serverId: ServerId, { index, name }: ToolItem): string | null | undefined {
  const host = useHost();
  const [definition, setDefinition] = useState<string | null>();
  useEffect(() => {
    let current = true;
    host
      .call('tool_get', { serverId, index })
      .then(
        ({ definitionJson }) => definitionJson,
        () => null,
      )
      .then((json) => current && setDefinition(json))
      .catch(() => {});
    return () => {
      current = false;
    };
    // Another list may have another tool at the same position.
  }, [host, serverId, index, name]);
  return definition;
}
