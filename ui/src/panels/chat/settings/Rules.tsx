import { Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { ChatRule, ServerItem } from '../../../contract/generated';
import { ruleKey, scopeWords } from '../../../model/chat/words';
import { useModel, useServers } from '../../../model/workspace/context';
import { IconButton } from '../../../widgets/controls/IconButton';
import type { SettingsProps } from './settingsProps';
import classes from './settings.module.css';

/** The rules that run calls without asking: those of this conversation and those of all. */
export function Rules({ conversation, settings }: SettingsProps) {
  const { host, chats } = useModel();
  const [always, setAlways] = useState<readonly ChatRule[]>([]);
  // The list of conversations is pulled again whenever a rule changes.
  const listed = useStore(chats, (state) => state.items);
  useEffect(() => {
    let current = true;
    host
      .call('chat_rules_get', {})
      .then(({ rules }) => current && setAlways(rules))
      // Without the rules, everything asks.
      .catch(() => {});
    return () => void (current = false);
  }, [host, listed, settings]);
  if (settings.rules.length === 0 && always.length === 0) {
    return (
      <p className={classes.facts}>
        None: every call needs your approval. Add a rule when you run a call. Destructive calls always need
        approval.
      </p>
    );
  }
  return (
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
          onRemove={() =>
            void host
              .call('chat_rule_remove', { serverId: rule.serverId, covers: rule.covers })
              .then(() => setAlways(always.filter((each) => each !== rule)))
              .catch(() => {})
          }
        />
      ))}
    </ul>
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
      <span>{scopeWords(rule.covers, server?.draft.name ?? 'a removed server')}</span>
      <span className={classes.facts}>{place}</span>
      <IconButton size="sm" icon={IconX} label="Remove this rule" onClick={onRemove} />
      {server !== undefined && needsTrust(rule, server) && (
        <p className={classes.warn}>
          Does not apply: you do not trust the tool annotations of {server.draft.name}.{' '}
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
