import { Button, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { ResourceTemplateItem } from '../../../contract/generated';
import type { ConversationStore } from '../../../model/chat/conversation';
import { RESOURCE_TYPE, resourceText } from '../../../model/chat/files';
import { formatSize } from '../../../model/text/format';
import { useHost } from '../../../model/workspace/context';
import { CommandAlert } from '../../../widgets/failure/CommandAlert';
import { focused } from '../../../widgets/focus/focused';
import { Waiting } from '../../../widgets/status/Waiting';
import { TemplateForm } from './TemplateForm';
import { useAttaching } from './useAttaching';
import { type Offer, cutWords, useOffers } from './useOffers';
import classes from './composer.module.css';

/** How many resources are shown at once. */
const MOST = 50;

/** The resources of the chosen servers, and their templates; what is chosen is read and attached. */
export function ResourceMenu({
  conversation,
  onDone,
}: {
  conversation: ConversationStore;
  onDone: () => void;
}) {
  const host = useHost();
  const { offers, errors, cut } = useOffers(conversation, (serverId, cursor) =>
    host.call('resource_list', { serverId, cursor, refresh: false }),
  );
  const templates = useOffers(conversation, (serverId, cursor) =>
    host.call('resource_template_list', { serverId, cursor, refresh: false }),
  );
  const [chosen, setChosen] = useState<Offer<ResourceTemplateItem> | null>(null);
  const { reading, attach } = useAttaching(conversation, onDone);
  const [query, setQuery] = useState('');
  const words = query.toLowerCase();
  const matching = (offers ?? []).filter(({ item }) =>
    `${item.name} ${item.uri}`.toLowerCase().includes(words),
  );
  const shown = matching.slice(0, MOST);
  const matchingTemplates = (templates.offers ?? []).filter(({ item }) =>
    `${item.title ?? ''} ${item.name} ${item.uriTemplate}`.toLowerCase().includes(words),
  );
  const isKnown = offers !== undefined && templates.offers !== undefined;
  const allCut = [...new Set([...cut, ...templates.cut])];
  const has = (offers ?? []).length + (templates.offers ?? []).length > 0;
  if (chosen !== null) {
    return (
      <Closing onDone={onDone}>
        <TemplateForm
          offer={chosen}
          conversation={conversation}
          onDone={onDone}
          onCancel={() => setChosen(null)}
        />
      </Closing>
    );
  }
  return (
    <Closing onDone={onDone}>
      <div className={classes.bar}>
        <TextInput
          className="pb-grow"
          aria-label="Search resources"
          placeholder="Search resources by name or URI"
          value={query}
          ref={focused}
          onChange={(event) => setQuery(event.currentTarget.value)}
        />
        <Button size="compact-sm" variant="default" onClick={onDone}>
          Close
        </Button>
      </div>
      {[...errors, ...templates.errors].map((error, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- errors may be the same, and come all at once
        <CommandAlert key={at} error={error} />
      ))}
      <ul className={classes.menu} aria-label="Resources">
        {isKnown && shown.length === 0 && matchingTemplates.length === 0 && (
          <li className={classes.hint}>
            {has ? 'No matching resources.' : 'The selected servers have no resources.'}
          </li>
        )}
        {matchingTemplates.slice(0, MOST).map((offer) => (
          <li key={`template ${offer.serverId} ${offer.item.index}`}>
            <button
              type="button"
              className={classes.choice}
              onClick={() => reading === null && setChosen(offer)}
            >
              <span>{offer.item.title ?? offer.item.name}…</span>
              <span className={classes.hint}>
                {['Template', offer.serverName, offer.item.uriTemplate].join(' · ')}
              </span>
            </button>
          </li>
        ))}
        {shown.map(({ serverId, serverName, item: { index, uri, name, size } }) => (
          <li key={`${serverId} ${index}`}>
            <button
              type="button"
              className={classes.choice}
              draggable
              onDragStart={({ dataTransfer }) =>
                dataTransfer.setData(RESOURCE_TYPE, resourceText({ serverId, uri }))
              }
              onClick={() => void attach(name, { serverId, source: { type: 'resource', uri } })}
            >
              <span>{name}</span>
              <span className={classes.hint}>
                {[serverName, uri, size === null ? '' : formatSize(size)].filter(Boolean).join(' · ')}
              </span>
            </button>
          </li>
        ))}
        {(matching.length > MOST || matchingTemplates.length > MOST) && (
          <li className={classes.hint}>
            {Math.max(0, matching.length - MOST) + Math.max(0, matchingTemplates.length - MOST)} more. Search
            to find them.
          </li>
        )}
        {allCut.length > 0 && <li className={classes.hint}>{cutWords(allCut)}</li>}
      </ul>
      {!isKnown && <Waiting text="Loading…" />}
      {reading !== null && <Waiting text={`Reading ${reading}…`} />}
    </Closing>
  );
}

/** The menu, which Esc closes from any of its fields. */
function Closing({ onDone, children }: { onDone: () => void; children: ReactNode }) {
  return (
    // Esc reaches it from its fields.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      className={classes.form}
      role="group"
      aria-label="Attach a resource"
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          event.stopPropagation();
          onDone();
        }
      }}
    >
      {children}
    </div>
  );
}
