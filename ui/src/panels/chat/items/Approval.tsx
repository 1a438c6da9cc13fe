import { Button, Menu, TextInput } from '@mantine/core';
import { IconChevronDown, IconPencil, IconPlayerPlay, IconRestore } from '@tabler/icons-react';
import { useStore } from 'zustand';
import type { ChatCall, ChatRemember } from '../../../contract/generated';
import type { ConversationStore } from '../../../model/chat/conversation';
import {
  type UnsentDecision,
  changedCalls,
  changedOf,
  decisionOf,
  withDecision,
} from '../../../model/chat/unsent';
import { type Reach, reachOf } from '../../../model/connection/isOpen';
import { indentJson, parseJson } from '../../../model/text/json';
import { useActions } from '../../../model/workspace/actions';
import { useModel, useServerPart, useServers } from '../../../model/workspace/context';
import { CodeText } from '../../../widgets/code/CodeView';
import { JsonEditor } from '../../../widgets/code/JsonEditor';
import { useFocusWhenOpened } from '../../../widgets/focus/focused';
import { useUnsent } from '../useUnsent';
import { EditedCheck } from './EditedCheck';
import { Problems } from './Problems';
import classes from './items.module.css';

/** The decision about a call: its full arguments, changing them, running it once or by a rule, denying it with a reason. */
export function Approval({ call, conversation }: { call: ChatCall; conversation: ConversationStore }) {
  const { chats } = useModel();
  const unsent = useUnsent(conversation.chatId, (all) => all);
  const { edited, reason } = decisionOf(unsent, call);
  const keep = (part: Partial<UnsentDecision>): void =>
    chats.keep(conversation.chatId, (old) => withDecision(old, call, part));
  const reasonField = useFocusWhenOpened(reason !== null);
  const { show } = useActions();
  const { hints, serverName, serverId, tool } = call;
  const isDestructive = hints.destructive === true;
  const reach = useServers(({ items }) => reachOf(items, serverId));
  const canRun = reach === 'ready' && (edited === null || parseJson(edited).ok);

  const run = (remember: ChatRemember | null): void =>
    void conversation.run('chat_decide', {
      calls: [call.id],
      decision: { type: 'run', editedJson: changedOf(unsent, call), remember },
    });
  const deny = (): void =>
    void conversation.run('chat_decide', {
      calls: [call.id],
      decision: { type: 'deny', reason: reason ?? '' },
    });

  return (
    <div className={classes.approval}>
      <p className={classes.facts}>
        {[
          `Runs ${tool} on ${serverName}`,
          isDestructive ? 'marked as destructive' : '',
          hints.readOnly === true ? 'marked as read-only' : '',
          hints.readOnly !== true && hints.destructive === null
            ? 'does not declare whether it modifies data'
            : '',
          hints.openWorld === true ? 'reaches other systems' : '',
        ]
          .filter(Boolean)
          .join(' · ')}
        {isDestructive || hints.readOnly === true ? ' (declared by the server, not verified)' : ''}
      </p>
      {call.askedBecause !== null && <p className={classes.warn}>{call.askedBecause}</p>}
      {call.definitionChanged && serverId !== null && (
        <Button size="compact-xs" variant="default" onClick={() => show(serverId, 'explore')}>
          Review the change in Explore
        </Button>
      )}
      <NotReady call={call} reach={reach} />
      {edited === null ? (
        <CodeText text={indentJson(call.argumentsJson)} language="json" label="Arguments" />
      ) : (
        <div className={classes.editor}>
          <JsonEditor value={edited} onChange={(text) => keep({ edited: text })} label="Arguments to send" />
        </div>
      )}
      {edited === null ? (
        <Problems problems={call.problems} notChecked={call.notChecked} />
      ) : (
        <EditedCheck alias={call.alias} edited={edited} conversation={conversation} />
      )}
      {reason !== null && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            deny();
          }}
        >
          <TextInput
            label="Reason for the model (optional)"
            value={reason}
            maxLength={2000}
            ref={reasonField}
            onChange={(event) => keep({ reason: event.currentTarget.value })}
          />
        </form>
      )}
      <div className={classes.decide}>
        <Button.Group>
          <Button leftSection={<IconPlayerPlay size={14} />} disabled={!canRun} onClick={() => run(null)}>
            {edited === null ? 'Run once' : 'Run with changes'}
          </Button>
          {!isDestructive && (
            <RuleMenu call={call} conversation={conversation} disabled={!canRun} onRun={run} />
          )}
        </Button.Group>
        {edited === null ? (
          <Button
            variant="default"
            leftSection={<IconPencil size={14} />}
            onClick={() => keep({ edited: indentJson(call.argumentsJson) })}
          >
            Edit arguments
          </Button>
        ) : (
          <Button
            variant="default"
            leftSection={<IconRestore size={14} />}
            onClick={() => keep({ edited: null })}
          >
            Undo changes
          </Button>
        )}
        <Button variant="default" onClick={() => (reason === null ? keep({ reason: '' }) : deny())}>
          {reason === null ? 'Deny…' : 'Deny'}
        </Button>
      </div>
    </div>
  );
}

/** Says why a call could not be sent now: run all the same, it would fail, and the model would be told so. */
function NotReady({ call: { serverId, serverName }, reach }: { call: ChatCall; reach: Reach }) {
  const { connect } = useActions();
  if (reach === 'ready') return null;
  return (
    <p className={classes.warn} role="status">
      {
        {
          connecting: `${serverName} is connecting. The call can run when it is connected.`,
          notConnected: `${serverName} is not connected. Connect it to run the call, or deny the call.`,
          removed: `${serverName} was removed, so the call cannot run. Deny it, or stop the turn.`,
        }[reach]
      }
      {reach === 'notConnected' && serverId !== null && (
        <Button size="compact-xs" variant="default" onClick={() => void connect(serverId)}>
          Connect
        </Button>
      )}
    </p>
  );
}

/** Running a call, and making a rule of it. */
function RuleMenu({
  call: { id, tool, serverId, serverName, hints },
  conversation,
  disabled,
  onRun,
}: {
  call: ChatCall;
  conversation: ConversationStore;
  disabled: boolean;
  onRun: (remember: ChatRemember) => void;
}) {
  const { workspace } = useModel();
  const isTrusted = useServerPart(serverId, (server) => server?.draft.trustAnnotations === true);
  const items = useStore(conversation, (state) => state.items);
  // A new rule runs the calls of this server that wait, and knows nothing of their changes.
  const hasChanged = changedCalls(
    useUnsent(conversation.chatId, (all) => all),
    items,
  ).some(({ call }) => call.id !== id && call.serverId === serverId);
  const choices: { label: string; remember: ChatRemember }[] = [];
  for (const always of [false, true]) {
    const place = always ? 'in all conversations' : 'in this conversation';
    choices.push({ label: `Run ${tool} ${place}`, remember: { covers: { type: 'tool', tool }, always } });
    if (hints.readOnly === true && isTrusted) {
      choices.push({
        label: `Run read-only tools of ${serverName} ${place}`,
        remember: { covers: { type: 'readOnly' }, always },
      });
    }
    choices.push({
      label: `Run all tools of ${serverName} ${place}, except those marked as destructive`,
      remember: { covers: { type: 'server' }, always },
    });
  }
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button px={6} disabled={disabled} aria-label="Run without asking again">
          <IconChevronDown size={14} />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Run without asking again</Menu.Label>
        {hasChanged && (
          <Menu.Label>
            You have changed the arguments of another waiting call of this server, and a rule could run it
            without your changes. Run or deny that call first, or undo the changes.
          </Menu.Label>
        )}
        {choices.map(({ label, remember }) => (
          <Menu.Item key={label} disabled={hasChanged} onClick={() => onRun(remember)}>
            {label}
          </Menu.Item>
        ))}
        {hints.readOnly === true && !isTrusted && serverId !== null && (
          <>
            <Menu.Divider />
            <Menu.Label>
              To add a rule for read-only tools, trust the tool annotations of this server. They are not
              verified.
            </Menu.Label>
            <Menu.Item
              onClick={() =>
                workspace.setState({ dialog: { type: 'editServer', serverId, at: 'annotations' } })
              }
            >
              Trust the tool annotations of {serverName}…
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
