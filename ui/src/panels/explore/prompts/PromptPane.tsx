import { IconAlertTriangle } from '@tabler/icons-react';
import { useMemo, useRef, useState } from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';
import { useStore } from 'zustand';
import type { PromptItem, ServerId } from '../../../contract/generated';
import { shownExchange } from '../../../model/exchange/exchanges';
import { type PromptRequest, promptKey } from '../../../model/exchange/request';
import {
  missingArguments,
  readArguments,
  writeArguments,
} from '../../../model/lists/prompts/promptArguments';
import { emptyDraft, initialView } from '../../../model/lists/prompts/promptViews';
import { messageOf } from '../../../model/text/copyAs';
import { useModel, useServerPart } from '../../../model/workspace/context';
import { useLayout } from '../../../model/workspace/useLayout';
import { ParamsPreview } from '../request/ParamsPreview';
import { ProblemStrip } from '../request/ProblemStrip';
import { useRunKey } from '../request/useRunKey';
import { PromptArguments } from '../../../forms/completed/PromptArguments';
import { PromptBar } from './PromptBar';
import { PromptHead } from './PromptHead';
import { PromptResult } from './PromptResult';
import panes from '../list/panes.module.css';
import classes from './prompts.module.css';

interface PromptPaneProps {
  serverId: ServerId;
  name: string;
  /** Its row; none if it is no longer in the list. */
  item: PromptItem | undefined;
}

/** One prompt: its arguments and the messages they make. */
export function PromptPane({ serverId, name, item }: PromptPaneProps) {
  const { exchanges, prompts, promptViews } = useModel();
  const isReady = useServerPart(serverId, (server) => server?.connection.state === 'ready');
  const key = promptKey(serverId, name);
  const draft = useStore(
    promptViews,
    (views) => (views[serverId] ?? initialView).drafts.get(name) ?? emptyDraft,
  );
  const hasResult = useStore(exchanges, (state) => shownExchange(state, key) !== undefined);
  const { values, timeouts, tried } = draft;
  const [refusals, setRefusals] = useState(0);
  const declared = useMemo(() => item?.arguments ?? [], [item]);
  const missing = useMemo(() => missingArguments(declared, values), [declared, values]);
  const request: PromptRequest = {
    type: 'prompt',
    name,
    argumentsJson: writeArguments(declared, values),
    timeouts,
  };
  const disabledReason =
    name === '' ? 'The prompt has no name, so it cannot be requested.' : isReady ? null : 'Not connected.';

  const get = (anyway: boolean): void => {
    const isSent = disabledReason === null && (anyway || missing.length === 0);
    promptViews.changeDraft(serverId, name, { tried: !isSent });
    if (!isSent) {
      setRefusals(refusals + 1);
      return;
    }
    prompts.setInUse(serverId);
    exchanges.start(serverId, request);
  };
  const load = (earlier: PromptRequest): void =>
    promptViews.changeDraft(serverId, name, {
      values: readArguments(earlier.argumentsJson),
      timeouts: earlier.timeouts,
      tried: false,
    });
  const again = (earlier: PromptRequest): void => {
    exchanges.start(serverId, earlier);
  };
  const root = useRef<HTMLDivElement>(null);
  useRunKey(root, () => get(false));
  const layout = useLayout('prompt', ['arguments', 'result']);
  return (
    <div ref={root} className={panes.pane}>
      <PromptHead serverId={serverId} name={name} item={item} />
      {item === undefined && (
        <p className={classes.warn}>
          <IconAlertTriangle size={14} aria-hidden />
          No longer in the server’s list. Your input is kept.
        </p>
      )}
      <Group orientation="vertical" className={panes.body} {...layout}>
        <Panel id="arguments" minSize="120px">
          <section className={classes.arguments} aria-label="Arguments">
            <PromptBar
              serverId={serverId}
              of={key}
              draft={draft}
              disabledReason={disabledReason}
              onReset={() => promptViews.changeDraft(serverId, name, { values: new Map(), tried: false })}
              onTimeouts={(next) => promptViews.changeDraft(serverId, name, { timeouts: next })}
              onLoad={load}
              onAgain={again}
              onGet={() => get(false)}
            />
            <PromptArguments
              serverId={serverId}
              prompt={name}
              declared={declared}
              values={values}
              missing={tried ? missing : []}
              onChange={(argument, value) => {
                prompts.setInUse(serverId);
                promptViews.setValue(serverId, name, argument, value);
              }}
            />
            <ProblemStrip
              problems={tried ? missing : []}
              tried={tried}
              refusals={refusals}
              disabledReason={tried ? disabledReason : null}
              onAnyway={() => get(true)}
            />
            <ParamsPreview params={messageOf(request).paramsJson ?? ''} method="prompts/get" valid />
          </section>
        </Panel>
        {hasResult && (
          <>
            <Separator className="pb-separator" />
            <Panel id="result" defaultSize="62%" minSize="120px">
              <PromptResult of={key} onAgain={again} />
            </Panel>
          </>
        )}
      </Group>
    </div>
  );
}
