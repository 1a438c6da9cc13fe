import { Button, Popover } from '@mantine/core';
import { IconAdjustmentsHorizontal, IconPlayerPlay, IconRestore } from '@tabler/icons-react';
import type { ServerId, Timeouts } from '../../../contract/generated';
import type { ExchangeKey, PromptRequest } from '../../../model/exchange/request';
import type { PromptDraft } from '../../../model/lists/prompts/promptViews';
import { useServerPart } from '../../../model/workspace/context';
import { fixedText } from '../../../model/workspace/shortcuts';
import { IconButton } from '../../../widgets/controls/IconButton';
import request from '../request/request.module.css';
import { TimeoutFields } from '../request/TimeoutFields';
import { ExchangeHistory } from '../result/ExchangeHistory';
import classes from './prompts.module.css';

interface PromptBarProps {
  serverId: ServerId;
  of: ExchangeKey<PromptRequest>;
  draft: PromptDraft;
  /** Why nothing can be sent. */
  disabledReason: string | null;
  onReset: () => void;
  onTimeouts: (timeouts: Timeouts | null) => void;
  onLoad: (request: PromptRequest) => void;
  onAgain: (request: PromptRequest) => void;
  onGet: () => void;
}

/** What can be done with the arguments of a prompt: clear them, load earlier ones, set timeouts, send them. */
export function PromptBar(props: PromptBarProps) {
  const { serverId, of, draft, disabledReason, onReset, onTimeouts, onLoad, onAgain, onGet } = props;
  const serverTimeouts = useServerPart(serverId, (server) => server?.draft.timeouts ?? null);
  return (
    <div className={classes.bar}>
      <h3 className={classes.barTitle}>Arguments</h3>
      {draft.values.size > 0 && <IconButton icon={IconRestore} label="Clear arguments" onClick={onReset} />}
      <span className="pb-grow" />
      <ExchangeHistory of={of} noun="request" onLoad={onLoad} onAgain={onAgain} />
      <Popover position="bottom-end" width={340} trapFocus>
        <Popover.Target>
          <IconButton
            icon={IconAdjustmentsHorizontal}
            label="Request options"
            pressed={draft.timeouts !== null}
          />
        </Popover.Target>
        <Popover.Dropdown className={request.options}>
          <TimeoutFields timeouts={draft.timeouts} serverTimeouts={serverTimeouts} onChange={onTimeouts} />
          {draft.timeouts !== null && (
            <Button variant="default" onClick={() => onTimeouts(null)}>
              Use server settings
            </Button>
          )}
        </Popover.Dropdown>
      </Popover>
      <Button
        leftSection={<IconPlayerPlay size={14} />}
        onClick={onGet}
        data-primary
        data-tip={disabledReason ?? `Send prompts/get (${fixedText('run')})`}
        data-disabled={disabledReason !== null || undefined}
        aria-disabled={disabledReason !== null}
      >
        Get prompt
      </Button>
    </div>
  );
}
