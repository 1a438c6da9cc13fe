import { Button } from '@mantine/core';
import { type SyntheticEvent, useEffect, useRef, useState } from 'react';
import type { ResourceTemplateItem } from '../../../contract/generated';
import { VariableField } from '../../../forms/completed/VariableField';
import type { ConversationStore } from '../../../model/chat/conversation';
import { useCanComplete } from '../../../model/connection/useCanComplete';
import { type VariableDraft, emptyRecord, withMember } from '../../../model/lists/resources/resourceViews';
import { useExpansion } from '../../../model/lists/resources/useExpansion';
import { asSentence } from '../../../model/text/format';
import { submitKey } from './submitKey';
import { useAttaching } from './useAttaching';
import type { Offer } from './useOffers';
import classes from './composer.module.css';

interface TemplateFormProps {
  offer: Offer<ResourceTemplateItem>;
  conversation: ConversationStore;
  /** The resource was attached. */
  onDone: () => void;
  onCancel: () => void;
}

/** The variables of a template, with the values that the server proposes; the resource that they name is read and attached. */
export function TemplateForm({ offer, conversation, onDone, onCancel }: TemplateFormProps) {
  const { serverId, serverName, item } = offer;
  const { uriTemplate } = item;
  const [drafts, setDrafts] = useState(() => emptyRecord<VariableDraft>());
  const { reading, attach } = useAttaching(conversation, onDone);
  const canComplete = useCanComplete(serverId);
  const { variables, uri, error, whenCurrent } = useExpansion(uriTemplate, drafts);
  const form = useRef<HTMLFormElement>(null);
  const isKnown = variables.length > 0;
  useEffect(() => {
    // A template without variables has no field.
    if (isKnown) (form.current?.querySelector('textarea') ?? form.current)?.focus();
  }, [isKnown]);

  function submit(event: SyntheticEvent): void {
    event.preventDefault();
    whenCurrent((of) => {
      if (of !== null && of !== '') void attach(of, { serverId, source: { type: 'resource', uri: of } });
    });
  }

  return (
    // The key that sends reaches it from its fields.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form
      className={classes.variables}
      aria-label={`Variables of ${item.name}`}
      ref={form}
      tabIndex={-1}
      onKeyDown={(event) => {
        submitKey(event);
        // Back to the menu; a field that has its proposals open takes the key first.
        if (event.key !== 'Escape' || event.defaultPrevented || event.nativeEvent.isComposing) return;
        event.stopPropagation();
        onCancel();
      }}
      onSubmit={submit}
    >
      <span>
        {item.title ?? item.name} <span className={classes.hint}>{serverName}</span>
      </span>
      {variables.map((name) => (
        <VariableField
          key={name}
          serverId={serverId}
          uriTemplate={uriTemplate}
          name={name}
          canComplete={canComplete}
          drafts={drafts}
          onChange={(draft) => setDrafts((old) => withMember(old, name, draft))}
        />
      ))}
      {error === null ? (
        <output className={`${classes.expanded} pb-selectable`} aria-label="Expanded URI">
          {uri ?? uriTemplate}
        </output>
      ) : (
        <p className={classes.warning} role="alert">
          {asSentence(error)}
        </p>
      )}
      <div className={classes.bar}>
        <Button
          type="submit"
          size="compact-sm"
          disabled={uri === null || uri === ''}
          loading={reading !== null}
        >
          Read and attach
        </Button>
        <Button size="compact-sm" variant="default" onClick={onCancel}>
          Back
        </Button>
      </div>
    </form>
  );
}
