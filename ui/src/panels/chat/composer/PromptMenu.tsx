import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { PromptItem } from '../../../contract/generated';
import type { ConversationStore } from '../../../model/chat/conversation';
import { writeJson } from '../../../model/text/json';
import { useHost } from '../../../model/workspace/context';
import { CommandAlert } from '../../../widgets/failure/CommandAlert';
import { focusNow } from '../focusNow';
import { type Offer, useOffers } from './useOffers';
import classes from './composer.module.css';

/** How many prompts are shown at once. */
const MOST = 50;

interface PromptMenuProps {
  conversation: ConversationStore;
  /** What is written after the slash. */
  query: string;
  /** A prompt was attached. */
  onDone: () => void;
}

/** The prompts of the chosen servers, as slash commands. */
export function PromptMenu({ conversation, query, onDone }: PromptMenuProps) {
  const host = useHost();
  const { offers, error } = useOffers(
    conversation,
    async (serverId) => (await host.call('prompt_list', { serverId, cursor: null, refresh: false })).items,
  );
  const [chosen, setChosen] = useState<Offer<PromptItem> | null>(null);
  if (error !== null) return <CommandAlert error={error} />;
  if (chosen !== null) {
    return (
      <PromptForm
        offer={chosen}
        conversation={conversation}
        onDone={onDone}
        onCancel={() => setChosen(null)}
      />
    );
  }
  const words = query.toLowerCase();
  const shown = (offers ?? []).filter(({ item }) => item.name.toLowerCase().includes(words)).slice(0, MOST);

  async function choose(offer: Offer<PromptItem>): Promise<void> {
    if (offer.item.arguments.length > 0) setChosen(offer);
    else if (await attach(conversation, offer, null)) onDone();
  }

  return (
    <ul className={classes.menu} aria-label="Prompts">
      {offers !== undefined && shown.length === 0 && (
        <li className={classes.hint}>
          {offers.length === 0 ? 'The chosen servers have no prompts.' : 'No prompt has this name.'}
        </li>
      )}
      {shown.map((offer) => (
        <li key={`${offer.serverId} ${offer.item.index}`}>
          <button type="button" className={classes.choice} onClick={() => void choose(offer)}>
            <code>/{offer.item.name}</code>
            <span className={classes.hint}>
              {[offer.serverName, offer.item.description ?? ''].filter(Boolean).join(' · ')}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function attach(
  conversation: ConversationStore,
  { serverId, item: { name } }: Offer<PromptItem>,
  argumentsJson: string | null,
): Promise<boolean> {
  return conversation.run('chat_attach', { serverId, source: { type: 'prompt', name, argumentsJson } });
}

function PromptForm({
  offer,
  conversation,
  onDone,
  onCancel,
}: {
  offer: Offer<PromptItem>;
  conversation: ConversationStore;
  onDone: () => void;
  onCancel: () => void;
}) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const isComplete = offer.item.arguments.every(
    ({ name, required }) => !required || (values[name] ?? '') !== '',
  );
  async function submit(): Promise<void> {
    const given = Object.entries(values).filter(([, value]) => value !== '');
    if (await attach(conversation, offer, writeJson(Object.fromEntries(given)))) onDone();
  }
  return (
    <form
      className={classes.form}
      aria-label={`Arguments of ${offer.item.name}`}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <span>
        <code>/{offer.item.name}</code> <span className={classes.hint}>{offer.serverName}</span>
      </span>
      {offer.item.arguments.map(({ name, title, description, required }, at) => (
        <TextInput
          key={name}
          label={title ?? name}
          description={description}
          required={required}
          ref={at === 0 ? focusNow : undefined}
          value={values[name] ?? ''}
          onChange={({ currentTarget: { value } }) => setValues({ ...values, [name]: value })}
        />
      ))}
      <div className={classes.bar}>
        <Button type="submit" size="compact-sm" disabled={!isComplete}>
          Attach prompt
        </Button>
        <Button size="compact-sm" variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
