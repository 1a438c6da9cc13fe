import { Button, Combobox } from '@mantine/core';
import { useEffect, useId, useState } from 'react';
import type { ChatAttachParams, PromptItem } from '../../../contract/generated';
import { PromptArguments } from '../../../forms/completed/PromptArguments';
import type { ConversationStore } from '../../../model/chat/conversation';
import { missingArguments, writeArguments } from '../../../model/lists/prompts/promptArguments';
import type { PromptValues } from '../../../model/lists/prompts/promptViews';
import { useHost } from '../../../model/workspace/context';
import { CommandAlert } from '../../../widgets/failure/CommandAlert';
import { Waiting } from '../../../widgets/status/Waiting';
import { submitKey } from './submitKey';
import { useAttaching } from './useAttaching';
import { type Offer, cutWords, useOffers } from './useOffers';
import classes from './composer.module.css';

/** How many prompts are shown at once. */
const MOST = 50;

interface PromptMenuProps {
  conversation: ConversationStore;
  /** What is written after the slash. */
  query: string;
  /** Whether there are options now. */
  onOffered: (isOffered: boolean) => void;
  /** The menu is shown again: what follows the slash can be written. */
  onBack: () => void;
  /** A prompt was attached. */
  onDone: () => void;
}

/** The prompts of the chosen servers, as slash commands: the options of the combobox that it is in. */
export function PromptMenu({ conversation, query, onOffered, onBack, onDone }: PromptMenuProps) {
  const host = useHost();
  const { offers, errors, cut } = useOffers(conversation, (serverId, cursor) =>
    host.call('prompt_list', { serverId, cursor, refresh: false }),
  );
  const [chosen, setChosen] = useState<Offer<PromptItem> | null>(null);
  const { reading, attach } = useAttaching(conversation, onDone);
  const words = query.toLowerCase();
  const matching = (offers ?? []).filter(({ item }) => item.name.toLowerCase().includes(words));
  const shown = matching.slice(0, MOST);
  // An id from the beginning: Mantine's own changes when it is drawn, and the field would point to the first.
  const listId = useId();
  const isOffered = chosen === null && shown.length > 0;
  useEffect(() => {
    onOffered(isOffered);
    return () => onOffered(false);
  }, [isOffered, onOffered]);
  if (chosen !== null) {
    return (
      <PromptForm
        offer={chosen}
        conversation={conversation}
        onDone={onDone}
        onCancel={() => {
          setChosen(null);
          onBack();
        }}
      />
    );
  }

  function choose(offer: Offer<PromptItem>): void {
    if (offer.item.arguments.length === 0) void attach(`/${offer.item.name}`, paramsOf(offer, null));
    else if (reading === null) setChosen(offer);
  }

  return (
    <>
      {errors.map((error, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- errors may be the same, and come all at once
        <CommandAlert key={at} error={error} />
      ))}
      {shown.length > 0 && (
        // Its keys are those of the field. A scrollable list has to be reachable.
        <Combobox.Options id={listId} className={classes.menu} aria-label="Prompts" tabIndex={0}>
          {shown.map((offer) => {
            const key = `${offer.serverId} ${offer.item.index}`;
            return (
              <Combobox.Option key={key} value={key} className={classes.choice} onClick={() => choose(offer)}>
                <code>/{offer.item.name}</code>
                <span className={classes.hint}>
                  {[offer.serverName, offer.item.description ?? ''].filter(Boolean).join(' · ')}
                </span>
              </Combobox.Option>
            );
          })}
        </Combobox.Options>
      )}
      {offers !== undefined && shown.length === 0 && (
        <p className={classes.hint}>
          {offers.length === 0 ? 'The selected servers have no prompts.' : 'No matching prompts.'}
        </p>
      )}
      {matching.length > MOST && (
        <p className={classes.hint}>{matching.length - MOST} more. Type to find them.</p>
      )}
      {cut.length > 0 && <p className={classes.hint}>{cutWords(cut)}</p>}
      {offers === undefined && <Waiting text="Loading…" />}
      {reading !== null && <Waiting text={`Reading ${reading}…`} />}
    </>
  );
}

function paramsOf(
  { serverId, item: { name } }: Offer<PromptItem>,
  argumentsJson: string | null,
): Omit<ChatAttachParams, 'chatId'> {
  return { serverId, source: { type: 'prompt', name, argumentsJson } };
}

/** As a `ref`: to the first field, because the user has just chosen the prompt. */
function focusFirst(fields: HTMLElement | null): void {
  fields?.querySelector('textarea')?.focus();
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
  const [values, setValues] = useState<PromptValues>(new Map());
  const { serverId, item } = offer;
  const missing = missingArguments(item.arguments, values);
  const { reading, attach } = useAttaching(conversation, onDone);
  function change(name: string, value: string | undefined): void {
    const next = new Map(values);
    if (value === undefined) next.delete(name);
    else next.set(name, value);
    setValues(next);
  }
  return (
    // The key that sends reaches it from its fields.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form
      className={classes.form}
      aria-label={`Arguments for ${item.name}`}
      onKeyDown={submitKey}
      onSubmit={(event) => {
        event.preventDefault();
        if (missing.length > 0) return;
        void attach(item.name, paramsOf(offer, writeArguments(item.arguments, values)));
      }}
    >
      <span>
        <code>/{item.name}</code> <span className={classes.hint}>{offer.serverName}</span>
      </span>
      <div ref={focusFirst}>
        <PromptArguments
          serverId={serverId}
          prompt={item.name}
          declared={item.arguments}
          values={values}
          missing={[]}
          onChange={change}
        />
      </div>
      <div className={classes.bar}>
        <Button type="submit" size="compact-sm" disabled={missing.length > 0} loading={reading !== null}>
          Attach prompt
        </Button>
        <Button size="compact-sm" variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
