import { useComputedColorScheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { AppFrameOpenResponse, ServerId, ToolItem } from '../../contract/generated';
import { type AppCall, type AppDelegate, AppSession, HEIGHTS } from '../../model/tools/apps/appSession';
import { type HostLook, hostContext } from '../../model/tools/apps/hostContext';
import { useModel } from '../../model/workspace/context';
import classes from './app.module.css';

/** How long an app may take until it sends `ui/initialize`, in ms. */
const SILENCE_MS = 5_000;

export type DisplayMode = HostLook['displayMode'];

interface AppFrameProps {
  serverId: ServerId;
  uri: string;
  frame: AppFrameOpenResponse;
  /** The definition of the tool: JSON text. */
  toolJson: string | null;
  /** The call that it shows; without one, it waits for it. */
  call: AppCall | undefined;
  mode: DisplayMode;
  /** Set while the app is asked to end. */
  closing: string | null;
  onMode: (mode: DisplayMode) => void;
  onState: (state: AppState) => void;
  /** It has ended: asked to by `closing`. */
  onClosed: () => void;
  asks: Pick<AppDelegate, 'onLink' | 'onMessage' | 'onDestructiveCall'>;
}

export type AppState =
  | { type: 'starting' }
  | { type: 'running'; supportsFullscreen: boolean }
  /** It has not sent `ui/initialize`. */
  | { type: 'silent' }
  /** It was closed at once. */
  | { type: 'stopped'; why: string }
  /** It wants to be closed. */
  | { type: 'leaving' };

/** The frame of an app: without our origin, and with its own policy. */
export function AppFrame(props: AppFrameProps) {
  const { serverId, uri, frame, toolJson, call, mode, closing } = props;
  const { host, appLog, tools } = useModel();
  const theme = useComputedColorScheme('light');
  const { ref: place, width, height } = useElementSize();
  const element = useRef<HTMLIFrameElement>(null);
  const session = useRef<AppSession | null>(null);
  const loads = useRef(0);
  const [wanted, setWanted] = useState(HEIGHTS.least * 4);

  const context = hostContext(
    {
      theme,
      displayMode: mode,
      width: Math.round(width),
      height: Math.round(height),
      front: host.front,
      toolJson,
    },
    getComputedStyle(document.documentElement),
  );

  /** Closes it at once. */
  const stop = (why: string): void => {
    session.current?.stop();
    appLog.add({ serverId, uri, kind: 'host', subject: '', text: `Closed: ${why}.`, tone: 'error' });
    props.onState({ type: 'stopped', why });
  };
  const onFlood = useEffectEvent(stop);
  const onInitialized = useEffectEvent((): void => {
    props.onState({ type: 'running', supportsFullscreen: session.current?.supportsFullscreen ?? false });
  });
  const onSilence = useEffectEvent((): void => {
    if (session.current?.isInitialized === false) props.onState({ type: 'silent' });
  });
  const onRequestTeardown = useEffectEvent((): void => props.onState({ type: 'leaving' }));
  const onMode = useEffectEvent((next: DisplayMode): void => props.onMode(next));
  const onLink = useEffectEvent((url: string) => props.asks.onLink(url));
  const onMessage = useEffectEvent((text: string) => props.asks.onMessage(text));
  const onCall = useEffectEvent((tool: ToolItem, given: string) => props.asks.onDestructiveCall(tool, given));
  const begin = useEffectEvent(
    (target: Window, delegate: AppDelegate): AppSession =>
      new AppSession({
        host,
        log: appLog,
        serverId,
        uri,
        frame,
        target,
        context,
        findTool: (name) => tools.getState()[serverId]?.rows.find(({ item }) => item.name === name)?.item,
        delegate,
      }),
  );

  useEffect(() => {
    const inner = element.current;
    const target = inner?.contentWindow;
    if (inner === null || target === null || target === undefined) return;
    const started = begin(target, {
      onInitialized: () => onInitialized(),
      onHeight: setWanted,
      onDisplayMode: (next) => {
        onMode(next);
        return next;
      },
      onLink: (url) => onLink(url),
      onMessage: (text) => onMessage(text),
      onDestructiveCall: (tool, given) => onCall(tool, given),
      onRequestTeardown: () => onRequestTeardown(),
      onFlood: (why) => onFlood(why),
    });
    session.current = started;
    loads.current = 0;
    const silence = setTimeout(() => onSilence(), SILENCE_MS);
    // Only now is anything loaded: no message can arrive before somebody listens.
    void started.start().then(() => {
      if (session.current === started) inner.src = host.appFrame(frame.frameId);
    });
    return () => {
      clearTimeout(silence);
      session.current = null;
      started.stop();
    };
  }, [host, frame]);

  const onEnd = useEffectEvent((): void => props.onClosed());
  useEffect(() => {
    if (closing === null) return;
    void (session.current?.close(closing) ?? Promise.resolve()).then(onEnd);
  }, [closing]);

  const argumentsJson = call?.argumentsJson;
  useEffect(() => {
    if (argumentsJson !== undefined) session.current?.input(argumentsJson);
  }, [argumentsJson]);
  const outcome = call?.outcome ?? null;
  useEffect(() => {
    if (outcome !== null) session.current?.ended(outcome);
  }, [outcome]);

  const contextJson = JSON.stringify(context);
  const tell = useEffectEvent((): void => {
    // A hidden frame has no size.
    if (width > 0) session.current?.setContext(context);
  });
  useEffect(() => tell(), [contextJson]);

  /** The document of a frame is loaded once. */
  const onLoad = (): void => {
    // An empty frame is loaded before it has an address.
    if (element.current?.getAttribute('src') === null) return;
    loads.current += 1;
    if (loads.current > 1) stop('it navigated its frame');
  };

  return (
    // Scrolled by keys too.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div ref={place} className={classes.place} data-mode={mode} tabIndex={0}>
      <iframe
        ref={element}
        className={classes.frame}
        style={{ height: mode === 'fullscreen' ? '100%' : wanted }}
        title={`App ${uri}`}
        sandbox="allow-scripts allow-forms"
        allow={frame.permissions.join('; ')}
        referrerPolicy="no-referrer"
        onLoad={onLoad}
      />
    </div>
  );
}
