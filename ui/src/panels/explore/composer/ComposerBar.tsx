import { Autocomplete, Button, Menu } from '@mantine/core';
import { IconChevronDown, IconIndentIncrease, IconSend } from '@tabler/icons-react';
import type { ServerId } from '../../../contract/generated';
import { type ComposerDraft, changedReason, emptyComposerDraft } from '../../../model/exchange/composer';
import { rawKey } from '../../../model/exchange/request';
import { methodsOf } from '../../../model/exchange/methods';
import { MAX_LIVE, indentJson, parseJson } from '../../../model/text/json';
import { fullName } from '../../../model/connection/serverName';
import { untilReady } from '../../../model/connection/untilReady';
import { useActions } from '../../../model/workspace/actions';
import { useModel, useServerPart, useServers } from '../../../model/workspace/context';
import { fixedText } from '../../../model/workspace/shortcuts';
import { IconButton } from '../../../widgets/controls/IconButton';
import { Segments } from '../../../widgets/controls/Segments';
import { Bar } from '../../../widgets/layout/Bar';
import { ExchangeHistory } from '../result/ExchangeHistory';
import classes from './composer.module.css';

interface ComposerBarProps {
  serverId: ServerId;
  draft: ComposerDraft;
  disabledReason: string | null;
  onSend: () => void;
}

/** What kind of thing is written, its method, and the controls that send it. */
export function ComposerBar({ serverId, draft, disabledReason, onSend }: ComposerBarProps) {
  const { composer, exchanges } = useModel();
  const era = useServerPart(serverId, (server) => server?.connection.era ?? null);
  const isRequest = draft.mode === 'request';
  const text = isRequest ? draft.params : draft.message;
  const canIndent = text.length <= MAX_LIVE && text.trim() !== '' && parseJson(text).ok;
  return (
    <Bar label="Composer">
      <Segments
        label="Write"
        value={draft.mode}
        onChange={(mode) => composer.change(serverId, { mode })}
        segments={[
          { value: 'request', label: 'Request' },
          { value: 'message', label: 'Raw message' },
        ]}
      />
      {isRequest && (
        <Autocomplete
          className={classes.method}
          aria-label="Method"
          placeholder="Method"
          value={draft.method}
          data={methodsOf(era)}
          limit={20}
          maxDropdownHeight={320}
          spellCheck={false}
          onChange={(method) => composer.setMethod(serverId, method)}
        />
      )}
      <span className="pb-grow" />
      {isRequest && (
        <ExchangeHistory
          of={rawKey(serverId, draft.method)}
          noun="request"
          onLoad={({ paramsJson, repeats }) =>
            composer.replace(serverId, { params: paramsJson ?? '', repeats, masked: 0 })
          }
          onAgain={(request) => exchanges.start(serverId, request)}
        />
      )}
      {canIndent && (
        <IconButton
          icon={IconIndentIncrease}
          label="Indent"
          onClick={() =>
            composer.change(
              serverId,
              isRequest ? { params: indentJson(text) } : { message: indentJson(text) },
            )
          }
        />
      )}
      <Button.Group className={classes.send}>
        <Button
          leftSection={<IconSend size={14} />}
          loading={draft.sending}
          onClick={onSend}
          data-tip={
            disabledReason ??
            `${isRequest ? 'Send and wait for the result' : 'Send as written'} (${fixedText('run')})`
          }
          data-disabled={disabledReason !== null || undefined}
          aria-disabled={disabledReason !== null}
        >
          Send
        </Button>
        <MoreWays
          serverId={serverId}
          draft={draft}
          disabledReason={disabledReason}
          onSend={() => void composer.send(serverId)}
        />
      </Button.Group>
    </Bar>
  );
}

/** Sending on a new connection, and taking the draft to another server. */
function MoreWays({ serverId, draft, disabledReason, onSend }: ComposerBarProps) {
  const { composer, servers, workspace } = useModel();
  const actions = useActions();
  const others = (useServers(({ items }) => items) ?? []).filter(({ id }) => id !== serverId);
  const reconnectAndSend = async (): Promise<void> => {
    await actions.restart(serverId);
    if (!(await untilReady(servers, serverId))) return;
    const held = changedReason(draft, composer.getState()[serverId] ?? emptyComposerDraft, 'reconnect');
    if (held === null) onSend();
    else composer.change(serverId, { held });
  };
  const copyTo = (other: ServerId): void => {
    // It stays linked to the record that it repeats: the log is that of all servers.
    composer.replace(other, { ...draft, held: null, sent: null, sending: false, error: null });
    workspace.setState({ focusComposerOf: other });
    actions.show(other, 'explore');
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <IconButton
          className={classes.more}
          icon={IconChevronDown}
          label="More ways to send"
          {...(disabledReason === null && { variant: 'filled', color: 'teal' })}
        />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item disabled={disabledReason !== null} onClick={() => void reconnectAndSend()}>
          Reconnect, then send
        </Menu.Item>
        {others.length > 0 && <Menu.Label>Copy to another server</Menu.Label>}
        {others.map((other) => (
          <Menu.Item key={other.id} onClick={() => copyTo(other.id)}>
            {fullName(other)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
