import { Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { ChatRule, CommandError, ServerItem } from '../../../contract/generated';
import { fullName } from '../../../model/connection/serverName';
import { ruleKey, scopeWords } from '../../../model/chat/words';
import { commandError } from '../../../model/store/errors';
import { useModel, useServers } from '../../../model/workspace/context';
import { IconButton } from '../../../widgets/controls/IconButton';
import { CommandAlert } from '../../../widgets/failure/CommandAlert';
import type { SettingsProps } from './settingsProps';
import classes from './settings.module.css';

/** The rules that run calls without asking: those of this conversation and those of all. */
export function Rules({ conversation, settings }: SettingsProps) {
  const { host, events } = useModel();
  const [always, setAlways] = useState<readonly ChatRule[]>([]);
  const [error, setError] = useState<CommandError | null>(null);
  /** Why the rules of all conversations could not be loaded last. */
  const [loadError, setLoadError] = useState<CommandError | null>(null);
  useEffect(() => {
    let current = true;
    const load = (): void =>
      void host
        .call('chat_rules_get', {})
        .then(({ rules }) => {
          if (!current) return;
          setAlways(rules);
          setLoadError(null);
        })
        .catch((thrown: unknown) => current && setLoadError(commandError(thrown)));
    load();
    // It is said whenever a rule changes, also in another window.
    const stop = events.subscribe('chats', load);
    return () => {
      current = false;
      stop();
    };
  }, [host, events, settings]);
  async function remove(rule: ChatRule): Promise<void> {
    setError(null);
    try {
      await host.call('chat_rule_remove', { serverId: rule.serverId, covers: rule.covers });
      setAlways((now) => now.filter((each) => ruleKey(each) !== ruleKey(rule)));
    } catch (thrown) {
      setError(commandError(thrown));
    }
  }
  const shown = error ?? loadError;
  const close = (): void => (error === null ? setLoadError : setError)(null);
  const alert = shown !== null && <CommandAlert error={shown} onClose={close} />;
  if (settings.rules.length === 0 && always.length === 0) {
    return (
      alert || (
        <p className={classes.facts}>
          None: every call needs your approval. Add a rule when you run a call. Destructive calls always need
          approval.
        </p>
      )
    );
  }
  return (
    <>
      {alert}
      <ul className={classes.rules}>
        {settings.rules.map((rule) => (
          <Rule
            key={ruleKey(rule)}
            rule={rule}
            place="in this conversation"
            onRemove={() => void conversation.set({ rules: settings.rules.filter((each) => each !== rule) })}
          />
        ))}
        {always.map((rule) => (
          <Rule
            key={`always ${ruleKey(rule)}`}
            rule={rule}
            place="in all conversations"
            onRemove={() => void remove(rule)}
          />
        ))}
      </ul>
    </>
  );
}

interface RuleProps {
  rule: ChatRule;
  place: string;
  onRemove: () => void;
}

/** One rule, and why it does not apply. */
function Rule({ rule, place, onRemove }: RuleProps) {
  const { workspace } = useModel();
  const servers = useServers((state) => state.items) ?? [];
  const server = servers.find(({ id }) => id === rule.serverId);
  return (
    <li>
      <span>{scopeWords(rule.covers, server === undefined ? 'a removed server' : fullName(server))}</span>
      <span className={classes.facts}>{place}</span>
      <IconButton size="sm" icon={IconX} label="Remove this rule" onClick={onRemove} />
      {server !== undefined && needsTrust(rule, server) && (
        <p className={classes.warn}>
          Does not apply: you do not trust the tool annotations of {fullName(server)}.{' '}
          <Button
            size="compact-xs"
            variant="default"
            onClick={() =>
              workspace.setState({ dialog: { type: 'editServer', serverId: server.id, at: 'annotations' } })
            }
          >
            Change…
          </Button>
        </p>
      )}
    </li>
  );
}

/** Whether a rule goes by what a server says about its tools, and the user does not trust that. */
function needsTrust({ covers }: ChatRule, { draft }: ServerItem): boolean {
  return covers.type === 'readOnly' && draft.trustAnnotations !== true;
}
