import { Suspense, useState } from 'react';
import { useStore } from 'zustand';
import type { ServerId, ToolGetResponse, ToolItem } from '../../../contract/generated';
import { comparedExchange, exchangesOf, shownExchange } from '../../../model/exchange/exchanges';
import type { ExchangeKey, ToolRequest } from '../../../model/exchange/request';
import { appUri } from '../../../model/tools/tools';
import { useModel } from '../../../model/workspace/context';
import type { Loaded } from '../../../widgets/code/useBodyText';
import { PartBoundary } from '../../../widgets/failure/PartBoundary';
import { lazyPart } from '../../../widgets/failure/lazyPart';
import { CopyMenu } from '../result/CopyMenu';
import { ExchangeResult } from '../result/ExchangeResult';
import classes from './tools.module.css';

// Most tools have no app.
const AppView = lazyPart(async () => (await import('../../../content/apps/AppView')).AppView);

interface ToolResultProps {
  serverId: ServerId;
  item: ToolItem;
  detail: Loaded<ToolGetResponse>;
  tool: ExchangeKey<ToolRequest>;
  onAgain: (request: ToolRequest) => void;
}

/** The result of the selected call, and the app that shows it; before the first call, the app alone. */
export function ToolResult({ serverId, item, detail, tool, onAgain }: ToolResultProps) {
  const { exchanges } = useModel();
  const call = useStore(exchanges, (state) => shownExchange(state, tool));
  const isComparing = useStore(
    exchanges,
    (state) => comparedExchange(exchangesOf(state, tool)) !== undefined && call?.outcome !== null,
  );
  const [showsApp, setShowsApp] = useState(true);
  // Each call is shown by a new app, except the first after the app was opened: that is what it waits for.
  const [app, setApp] = useState<{ number: number; callId: number | null }>({ number: 0, callId: null });
  if (call !== undefined && call.id !== app.callId) {
    setApp({ number: app.callId === null ? app.number : app.number + 1, callId: call.id });
  }
  const uri = appUri(item);
  const isAppShown = uri !== null && (call === undefined || (showsApp && !isComparing));
  return (
    <div className={classes.result}>
      {call !== undefined && (
        <div className={isAppShown ? undefined : classes.shown} data-app={isAppShown}>
          <ExchangeResult
            key={call.id}
            exchange={call}
            onCancel={() => void exchanges.cancel(call)}
            onAgain={() => onAgain(call.request)}
            actions={<CopyMenu exchange={call} />}
            {...(uri === null ? {} : { app: { isShown: showsApp, onShow: setShowsApp } })}
          />
        </div>
      )}
      {uri !== null && detail.state !== 'loading' && (
        <div className={classes.appPlace} hidden={!isAppShown}>
          <PartBoundary resetKey={String(app.number)}>
            <Suspense>
              <AppView
                key={app.number}
                serverId={serverId}
                uri={uri}
                toolJson={detail.state === 'ready' ? detail.value.definitionJson : null}
                call={
                  call === undefined
                    ? undefined
                    : { argumentsJson: call.request.argumentsJson, outcome: call.outcome }
                }
              />
            </Suspense>
          </PartBoundary>
        </div>
      )}
    </div>
  );
}
