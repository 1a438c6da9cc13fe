import { IconX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { ChatRule, ServerId } from '../../../contract/generated';
import { ruleKey, scopeWords } from '../../../model/chat/words';
import { useModel, useServers } from '../../../model/workspace/context';
import { IconButton } from '../../../widgets/controls/IconButton';
import type { SettingsProps } from './settingsProps';
import classes from './settings.module.css';

/** The rules that run calls without asking: those of this conversation and those of all. */
export function Rules({ conversation, settings }: SettingsProps) {
  const { host, chats } = useModel();
  const servers = useServers((state) => state.items) ?? [];
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
  const nameOf = (id: ServerId): string =>
    servers.find((server) => server.id === id)?.draft.name ?? 'a removed server';
  if (settings.rules.length === 0 && always.length === 0) {
    return (
      <p className={classes.facts}>
        None: every call waits for you. Rules are made when you run a call. Destructive calls always ask.
      </p>
    );
  }
  return (
    <ul className={classes.rules}>
      {settings.rules.map((rule) => (
        <li key={ruleKey(rule)}>
          <span>{scopeWords(rule.covers, nameOf(rule.serverId))}</span>
          <span className={classes.facts}>in this conversation</span>
          <IconButton
            size="sm"
            icon={IconX}
            label="Remove this rule"
            onClick={() => void conversation.set({ rules: settings.rules.filter((each) => each !== rule) })}
          />
        </li>
      ))}
      {always.map((rule) => (
        <li key={`always ${ruleKey(rule)}`}>
          <span>{scopeWords(rule.covers, nameOf(rule.serverId))}</span>
          <span className={classes.facts}>in all conversations</span>
          <IconButton
            size="sm"
            icon={IconX}
            label="Remove this rule"
            onClick={() =>
              void host
                .call('chat_rule_remove', { serverId: rule.serverId, covers: rule.covers })
                .then(() => setAlways(always.filter((each) => each !== rule)))
                .catch(() => {})
            }
          />
        </li>
      ))}
    </ul>
  );
}
