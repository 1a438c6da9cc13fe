import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import type { ServerId, ToolGetResponse, ToolItem } from '../../../contract/generated/contract';
import { readArguments } from '../../../model/form/arguments';
import { useModel, useServerName, useServerPart } from '../../../model/workspace/context';
import { parseJson, writeJson } from '../../../model/text/json';
import { prepareSchema } from '../../../model/form/schema';
import {
  type CallOptions,
  type DeskKey,
  PLAIN_OPTIONS,
  type ToolCall,
  deskKey,
  draftOf,
  emptyDesk,
  shownCall,
} from '../../../model/tools/toolCall';
import { useLayout } from '../../../model/workspace/useLayout';
import { compileCheck } from '../../../model/form/validate';
import type { Loaded } from '../../../widgets/code/useBodyText';
import { CallResult } from '../result/CallResult';
import { ArgumentsPane } from './ArgumentsPane';
import { ConfirmCall } from './ConfirmCall';
import { ToolHead } from './ToolHead';
import { hindranceOf } from './hindrance';
import classes from './tools.module.css';

/** For a tool that can be run in no other way. */
const TASK_OPTIONS: CallOptions = { ...PLAIN_OPTIONS, asTask: { ttlMs: null } };

interface ToolDeskProps {
  serverId: ServerId;
  item: ToolItem;
  detail: Loaded<ToolGetResponse>;
}

/** One tool: its arguments, calling it, and what came of it. */
export function ToolDesk({ serverId, item, detail }: ToolDeskProps) {
  const { toolCalls } = useModel();
  const serverName = useServerName(serverId) ?? serverId;
  const isReady = useServerPart(serverId, (server) => server?.connection.state === 'ready');
  const timeouts = useServerPart(serverId, (server) => server?.draft.timeouts ?? null);
  const key = deskKey(serverId, item.name);
  // Not its calls: what happens to them does not draw the arguments anew.
  const draft = useStore(
    toolCalls,
    useShallow((desks) => draftOf(desks[key] ?? emptyDesk)),
  );
  const hasResult = useStore(toolCalls, (desks) => shownCall(desks[key]) !== undefined);
  const [confirming, setConfirming] = useState(false);
  /** The tool that is to be called as soon as its definition is here. */
  const [awaited, setAwaited] = useState<DeskKey | null>(null);

  const schemaJson = detail.state === 'ready' ? detail.value.inputSchemaJson : null;
  const form = useMemo(
    () => (detail.state === 'ready' ? prepareSchema(schemaJson) : null),
    [detail.state, schemaJson],
  );
  const check = useMemo(() => {
    const schema = schemaJson === null ? null : parseJson(schemaJson);
    return schema?.ok === true ? compileCheck(schema.value) : null;
  }, [schemaJson]);
  const initial = useMemo(() => writeJson(form?.defaults ?? {}), [form]);
  const text = draft.text ?? initial;
  const state = useMemo(() => readArguments(text), [text]);
  const found = useMemo(
    () => (check === null || state.type !== 'object' ? null : check(state.value)),
    [check, state],
  );
  const problems = found?.type === 'checked' ? found.problems : [];
  // In the modern era the server alone decides what becomes a task.
  const taskSupport = useServerPart(serverId, (server) =>
    server?.connection.era === 'legacy' ? item.taskSupport : null,
  );
  const options =
    taskSupport === 'required' && draft.options === PLAIN_OPTIONS ? TASK_OPTIONS : draft.options;
  const hindrance = hindranceOf({ item, isReady, isUnknown: detail.state === 'failed', state, options });

  const send = (): void => {
    setConfirming(false);
    toolCalls.change(key, { tried: false });
    toolCalls.start({ serverId, tool: item.name, argumentsJson: text, options });
  };
  const call = (anyway: boolean): void => {
    setAwaited(detail.state === 'loading' ? key : null);
    if (detail.state === 'loading') return;
    if (hindrance !== null || form === null || (problems.length > 0 && !anyway)) {
      toolCalls.change(key, { tried: true });
      return;
    }
    if (item.hints.destructive === true) setConfirming(true);
    else send();
  };
  const onDefinition = useEffectEvent((): void => {
    if (awaited === key) call(false);
  });
  useEffect(() => {
    if (detail.state !== 'loading') onDefinition();
  }, [detail.state]);
  const again = (old: ToolCall): void => {
    toolCalls.change(key, { text: old.argumentsJson, options: old.options });
    if (item.hints.destructive === true) setConfirming(true);
    else
      toolCalls.start({ serverId, tool: item.name, argumentsJson: old.argumentsJson, options: old.options });
  };

  // Ctrl/Cmd-Enter works from every field here, and from the list where the tool was chosen.
  const root = useRef<HTMLDivElement>(null);
  const onKeyDown = useEffectEvent((event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
    event.preventDefault();
    call(false);
  });
  useEffect(() => {
    const scope = root.current?.closest<HTMLElement>('[data-run-scope]');
    const listener = (event: KeyboardEvent): void => onKeyDown(event);
    scope?.addEventListener('keydown', listener);
    return () => scope?.removeEventListener('keydown', listener);
  }, []);

  const layout = useLayout('tool-desk', ['arguments', 'result']);
  return (
    <div ref={root} className={classes.desk}>
      <ToolHead item={item} detail={detail} />
      <Group orientation="vertical" className={classes.deskPanes} {...layout}>
        <Panel id="arguments" minSize="120px">
          <ArgumentsPane
            item={item}
            detail={detail}
            form={form}
            desk={key}
            draft={draft}
            options={options}
            text={text}
            initial={initial}
            state={state}
            problems={problems}
            notChecked={found?.type === 'notChecked' ? found.reason : null}
            hindrance={hindrance}
            serverTimeouts={timeouts}
            taskSupport={taskSupport}
            onChange={(change) => toolCalls.change(key, change)}
            onCall={call}
            onAgain={again}
          />
        </Panel>
        {hasResult && (
          <>
            <Separator className={classes.separatorRow} />
            <Panel id="result" defaultSize="58%" minSize="120px">
              <Result desk={key} serverName={serverName} onAgain={again} />
            </Panel>
          </>
        )}
      </Group>
      <ConfirmCall
        opened={confirming}
        tool={item.name}
        serverName={serverName}
        argumentsJson={text}
        onClose={() => setConfirming(false)}
        onCall={send}
      />
    </div>
  );
}

interface ResultProps {
  desk: DeskKey;
  serverName: string;
  onAgain: (call: ToolCall) => void;
}

/** The call that is looked at. */
function Result({ desk, serverName, onAgain }: ResultProps) {
  const { toolCalls } = useModel();
  const call = useStore(toolCalls, (desks) => shownCall(desks[desk]));
  if (call === undefined) return null;
  return (
    <CallResult
      key={call.id}
      call={call}
      serverName={serverName}
      onCancel={() => void toolCalls.cancel(call)}
      onAgain={() => onAgain(call)}
    />
  );
}
