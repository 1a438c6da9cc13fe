import { Button } from '@mantine/core';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';
import { useStore } from 'zustand';
import type { ServerId, ToolGetResponse, ToolItem } from '../../../contract/generated';
import { readArguments } from '../../../model/form/arguments';
import { useModel, useServerName, useServerPart } from '../../../model/workspace/context';
import { writeJson } from '../../../model/text/json';
import { prepareSchema } from '../../../model/form/schema';
import { shownExchange } from '../../../model/exchange/exchanges';
import {
  type CallOptions,
  DEFAULT_OPTIONS,
  type ExchangeKey,
  type ToolRequest,
  isDefault,
  toolKey,
} from '../../../model/exchange/request';
import { emptyDraft } from '../../../model/tools/toolDrafts';
import { useLayout } from '../../../model/workspace/useLayout';
import { useCheck } from '../../../model/form/check/useCheck';
import type { Loaded } from '../../../widgets/code/useBodyText';
import { useResultRoom } from '../request/useResultRoom';
import { useRunKey } from '../request/useRunKey';
import { ArgumentsPane } from './ArgumentsPane';
import { askChoices } from './call/askChoices';
import { ConfirmCall } from '../../../widgets/controls/ConfirmCall';
import { ToolHead } from './ToolHead';
import { ToolResult } from './ToolResult';
import { disabledReason } from './disabledReason';
import { useConfirmation } from './call/useConfirmation';
import panes from '../list/panes.module.css';
import classes from './tools.module.css';

/** The options of a tool that can only run as a task. */
const TASK_OPTIONS: CallOptions = { ...DEFAULT_OPTIONS, asTask: { ttlMs: null } };

/** The options that a call is sent with. What was chosen for another revision of the protocol or of the tool is kept for it. */
function optionsFor(chosen: CallOptions, taskSupport: string | null): CallOptions {
  if (taskSupport === null) return chosen.asTask === null ? chosen : { ...chosen, asTask: null };
  return taskSupport === 'required' && isDefault(chosen) ? TASK_OPTIONS : chosen;
}

interface ToolPaneProps {
  serverId: ServerId;
  item: ToolItem;
  detail: Loaded<ToolGetResponse>;
  /** Shows how the definition of this tool changed. */
  onReview: (name: string) => void;
}

/** One tool: its arguments and the result of its calls. */
export function ToolPane({ serverId, item, detail, onReview }: ToolPaneProps) {
  const { checker, exchanges, toolDrafts, tools, definitions } = useModel();
  const isRefused = useStore(definitions, (all) => all[serverId]?.byName.get(item.name)?.refused === true);
  const serverName = useServerName(serverId) ?? serverId;
  const isReady = useServerPart(serverId, (server) => server?.connection.state === 'ready');
  const timeouts = useServerPart(serverId, (server) => server?.draft.timeouts ?? null);
  const key = toolKey(serverId, item.name);
  const draft = useStore(toolDrafts, (drafts) => drafts[key] ?? emptyDraft);
  const hasResult = useStore(exchanges, (state) => shownExchange(state, key) !== undefined);
  /** The call that the user is asked about, and how it is made. */
  const [confirming, setConfirming] = useState<{
    request: ToolRequest;
    make: (request: ToolRequest) => void;
  } | null>(null);
  const [refusals, setRefusals] = useState(0);
  /** The app was opened before a call. */
  const [appOpened, setAppOpened] = useState(false);
  /** What is called as soon as the definition has loaded and the arguments are checked. */
  const [awaited, setAwaited] = useState<{ tool: ExchangeKey; text: string | null } | null>(null);

  const schemaJson = detail.state === 'ready' ? detail.value.inputSchemaJson : null;
  const form = useMemo(
    () => (detail.state === 'ready' ? prepareSchema(schemaJson) : null),
    [detail.state, schemaJson],
  );
  const initial = useMemo(() => writeJson(form?.defaults ?? {}), [form]);
  const text = draft.text ?? initial;
  const state = useMemo(() => readArguments(text), [text]);
  const check = useCheck(schemaJson, state.type === 'object' ? text : null);
  // In the modern era the server alone decides what becomes a task.
  const taskSupport = useServerPart(serverId, (server) =>
    server?.connection.era === 'legacy' ? item.taskSupport : null,
  );
  const options = optionsFor(draft.options, taskSupport);
  const reason = disabledReason({ item, isReady, isUnknown: detail.state === 'failed', state, options });

  const confirmation = useConfirmation(serverId, item);
  const request: ToolRequest = { type: 'tool', name: item.name, argumentsJson: text, options };
  const send = (sent: ToolRequest): void => {
    toolDrafts.change(key, { tried: false });
    exchanges.start(serverId, sent);
  };
  const call = (anyway: boolean): void => {
    const waits = detail.state === 'loading' || (check.isPending && !anyway);
    setAwaited(waits ? { tool: key, text: draft.text } : null);
    if (waits) return;
    if (isRefused) {
      onReview(item.name);
      return;
    }
    if (reason !== null || form === null || (check.problems.length > 0 && !anyway)) {
      toolDrafts.change(key, { tried: true });
      setRefusals(refusals + 1);
      return;
    }
    if (confirmation.asks) setConfirming({ request, make: send });
    else send(request);
  };
  const isAwaited = awaited?.tool === key && awaited.text === draft.text;
  const onKnown = useEffectEvent((): void => {
    if (isAwaited) call(false);
  });
  const isKnown = detail.state !== 'loading' && !check.isPending;
  useEffect(() => {
    if (isKnown) onKnown();
  }, [isKnown]);
  // A call that waits for its check is made also if another tool or panel is shown meanwhile, unless the user is to be asked first.
  const onLeave = useEffectEvent((): void => {
    if (!isAwaited || schemaJson === null || isRefused || confirmation.asks || reason !== null) return;
    void checker.check({ schemaJson, valueJson: text }).then((found) => {
      if (found.type === 'checked' && found.problems.length > 0) toolDrafts.change(key, { tried: true });
      else send(request);
    });
  });
  useEffect(() => () => onLeave(), []);
  // It leaves what is typed alone, with what is said about it.
  const repeat = (earlier: ToolRequest): void => exchanges.start(serverId, earlier);
  const again = (earlier: ToolRequest): void => {
    if (isRefused) onReview(item.name);
    else if (confirmation.asks) setConfirming({ request: earlier, make: repeat });
    else repeat(earlier);
  };

  // Ctrl/Cmd-Enter works in every field of this pane and in the list of tools.
  const root = useRef<HTMLDivElement>(null);
  useRunKey(root, () => call(false));

  const layout = useLayout('tool-pane', ['arguments', 'result']);
  const shows = { hasResult: hasResult || appOpened, mode: `${draft.mode} ${detail.state}` };
  const argumentsPanel = useResultRoom('tool-pane', root, shows);
  return (
    <div ref={root} className={panes.pane}>
      <ToolHead
        item={item}
        detail={detail}
        onOpenApp={hasResult || appOpened || !isReady ? undefined : () => setAppOpened(true)}
      />
      {isRefused && (
        <div className={classes.refused} role="note">
          <span>
            The definition changed since it was accepted. Calls are refused until you accept the change.
          </span>
          <Button variant="default" size="compact-xs" onClick={() => onReview(item.name)}>
            Review…
          </Button>
        </div>
      )}
      <Group orientation="vertical" className={panes.body} {...layout}>
        <Panel id="arguments" minSize="120px" panelRef={argumentsPanel}>
          <ArgumentsPane
            serverId={serverId}
            item={item}
            detail={detail}
            form={form}
            tool={key}
            draft={draft}
            options={options}
            text={text}
            initial={initial}
            state={state}
            check={check}
            isWaiting={isAwaited && detail.state === 'ready' && check.isPending}
            refusals={refusals}
            disabledReason={reason}
            serverTimeouts={timeouts}
            taskSupport={taskSupport}
            confirmation={confirmation}
            onChange={(change) => {
              tools.setInUse(serverId);
              toolDrafts.change(key, change);
            }}
            onCall={call}
            onAgain={again}
          />
        </Panel>
        {shows.hasResult && (
          <>
            <Separator className="pb-separator" />
            <Panel id="result" defaultSize="58%" minSize="120px">
              <ToolResult serverId={serverId} item={item} detail={detail} tool={key} onAgain={again} />
            </Panel>
          </>
        )}
      </Group>
      <ConfirmCall
        opened={confirming !== null}
        tool={item.name}
        serverName={serverName}
        hints={item.hints}
        isChanged={confirmation.isChanged}
        argumentsJson={confirming?.request.argumentsJson ?? text}
        choices={askChoices(item.hints)}
        onClose={() => setConfirming(null)}
        onCall={(mode) => {
          confirmation.agree(mode);
          setConfirming(null);
          confirming?.make(confirming.request);
        }}
      />
    </div>
  );
}
