import { Button, Loader } from '@mantine/core';
import { IconArrowsMaximize, IconArrowsMinimize, IconList, IconRefresh, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { ChatId, ServerId } from '../../contract/generated';
import type { AppCall } from '../../model/tools/apps/appSession';
import { useModel, useServerName } from '../../model/workspace/context';
import { IconButton } from '../../widgets/controls/IconButton';
import { EmptyState } from '../../widgets/layout/EmptyState';
import { useAppConsent } from './AppConsent';
import { AppFacts } from './AppFacts';
import { AppFrame, type AppState, type DisplayMode } from './AppFrame';
import classes from './app.module.css';
import { useAppFrame } from './useAppFrame';

interface AppViewProps {
  serverId: ServerId;
  /** The `ui://` resource of the tool. */
  uri: string;
  /** The definition of the tool: JSON text. */
  toolJson: string | null;
  /** The call that the app shows; without one, it waits for it. */
  call: AppCall | undefined;
  /** The conversation whose draft gets what the app says to a model; without one, the conversation that Chat shows. */
  chatId?: ChatId;
  /** Where an app can be closed: called once it has ended. */
  onClose?: () => void;
}

const STARTING: AppState = { type: 'starting' };

/** The app of a tool: loading, its frame, and what became of it. */
export function AppView({ serverId, uri, toolJson, call, chatId, onClose }: AppViewProps) {
  const { ui } = useModel();
  const serverName = useServerName(serverId) ?? serverId;
  const [attempt, setAttempt] = useState(0);
  const [mode, setMode] = useState<DisplayMode>('inline');
  const [app, setApp] = useState<AppState>(STARTING);
  const [closing, setClosing] = useState<string | null>(null);
  const [isClosed, setIsClosed] = useState(false);
  const loaded = useAppFrame(serverId, uri, attempt);
  const isGone = isClosed || app.type === 'stopped';
  const frameId = loaded.state === 'open' && !isGone ? loaded.frame.frameId : null;
  const { asks, dialog } = useAppConsent(uri, serverName, chatId ?? null, frameId);

  const open = (): void => {
    setApp(STARTING);
    setMode('inline');
    setClosing(null);
    setIsClosed(false);
    setAttempt((number) => number + 1);
  };
  const onState = (state: AppState): void => {
    if (state.type === 'leaving') setClosing('The app requested to close');
    else setApp(state);
    if (state.type === 'stopped') setMode('inline');
  };
  const isOpen = loaded.state === 'open' && !isGone;
  // An app that has started may end by itself first.
  const close = (): void => {
    if (isOpen && app.type === 'running') setClosing('Closed by the user');
    else onClose?.();
  };
  return (
    <section className={classes.app} aria-label="App" data-mode={mode}>
      <div className={classes.bar}>
        <span className={classes.uri} data-tip={uri}>
          {mode === 'fullscreen' && <b>{serverName}</b>} <span className="pb-mono">{uri}</span>
        </span>
        <output className={classes.status}>{statusOf(loaded.state, app, isClosed, call)}</output>
        <span className="pb-grow" />
        {loaded.state === 'open' && <AppFacts uri={uri} frame={loaded.frame} />}
        <IconButton
          icon={IconList}
          label="Show app messages in the dock"
          onClick={() => ui.setState({ dockTab: 'apps', dockOpen: true })}
        />
        {((app.type === 'running' && app.supportsFullscreen) || mode === 'fullscreen') && !isGone && (
          <IconButton
            icon={mode === 'fullscreen' ? IconArrowsMinimize : IconArrowsMaximize}
            label={mode === 'fullscreen' ? 'Leave fullscreen' : 'Fullscreen'}
            onClick={() => setMode(mode === 'fullscreen' ? 'inline' : 'fullscreen')}
          />
        )}
        <IconButton icon={IconRefresh} label="Open the app again" onClick={open} />
        {onClose !== undefined && <IconButton icon={IconX} label="Close the app" onClick={close} />}
      </div>
      {app.type === 'silent' && !isGone && (
        <p className={classes.notice} role="status">
          The app did not send ui/initialize within 5 seconds. It receives no arguments or results until it
          does.
          <Button variant="default" size="compact-xs" onClick={open}>
            Open again
          </Button>
        </p>
      )}
      {loaded.state === 'loading' && (
        <p className={`${classes.loading} pb-late`}>
          <Loader size={16} aria-hidden /> Reading {uri}…
        </p>
      )}
      {loaded.state === 'failed' && (
        <EmptyState title="The app cannot be shown" text={loaded.message}>
          <Button variant="default" onClick={open}>
            Try again
          </Button>
        </EmptyState>
      )}
      {isGone && (
        <EmptyState
          title="The app was closed"
          text={app.type === 'stopped' ? `Patchbay closed it: ${app.why}.` : 'The app requested it.'}
        >
          <Button variant="default" onClick={open}>
            Open again
          </Button>
        </EmptyState>
      )}
      {isOpen && (
        <AppFrame
          key={loaded.frame.frameId}
          serverId={serverId}
          uri={uri}
          frame={loaded.frame}
          toolJson={toolJson}
          call={call}
          mode={mode}
          closing={closing}
          onMode={setMode}
          onState={onState}
          onClosed={() => (onClose === undefined ? setIsClosed(true) : onClose())}
          asks={asks}
        />
      )}
      {dialog}
    </section>
  );
}

function statusOf(
  loaded: 'loading' | 'open' | 'failed',
  app: AppState,
  isClosed: boolean,
  call: AppCall | undefined,
): string {
  if (loaded === 'failed' || isClosed || app.type === 'stopped') return 'Closed';
  if (loaded === 'loading') return 'Loading';
  if (app.type !== 'running') return app.type === 'silent' ? 'Not initialized' : 'Starting';
  return call === undefined ? 'Waiting for a call' : 'Running';
}
