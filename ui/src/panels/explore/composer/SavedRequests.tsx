import { Button, Popover } from '@mantine/core';
import { IconBookmark, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { ServerId } from '../../../contract/generated';
import { type ComposerDraft, draftOfSaved, notSavedReason, savedOf } from '../../../model/exchange/composer';
import { formatCount } from '../../../model/text/format';
import { useModel, useUi } from '../../../model/workspace/context';
import { sizeOf, withSaved } from '../../../model/workspace/saved';
import type { SavedRequest } from '../../../model/workspace/uiState';
import { IconButton } from '../../../widgets/controls/IconButton';
import { NameForm } from '../../../widgets/controls/NameForm';
import { Bar } from '../../../widgets/layout/Bar';
import { EmptyState } from '../../../widgets/layout/EmptyState';
import { Pane } from '../../../widgets/layout/Pane';
import { VirtualRows } from '../../../widgets/rows/VirtualRows';
import classes from './composer.module.css';

const NONE: readonly SavedRequest[] = [];
const nothing = (): void => {};

interface SavedRequestsProps {
  serverId: ServerId;
  draft: ComposerDraft;
}

/** What the user has saved for a server. A selection loads it, Enter goes on to its text; a button removes it. */
export function SavedRequests({ serverId, draft }: SavedRequestsProps) {
  const { composer, ui, workspace } = useModel();
  const saved = useUi(({ savedRequests }) => savedRequests[serverId] ?? NONE);
  const [selected, setSelected] = useState<number | null>(null);
  const keep = (items: readonly SavedRequest[]): void =>
    ui.setState(({ savedRequests }) => ({ savedRequests: { ...savedRequests, [serverId]: [...items] } }));

  const load = (index: number): void => {
    const item = saved[index];
    setSelected(index);
    if (item !== undefined) composer.replace(serverId, draftOfSaved(item));
  };
  const remove = (index: number): void => {
    setSelected(null);
    keep(saved.filter((_, at) => at !== index));
  };
  const save = (name: string): void => {
    keep(withSaved(saved, savedOf(draft, name)));
    composer.saved(serverId);
  };

  const bar = (
    <Bar>
      <span className={`${classes.count} pb-num`}>
        {saved.length > 0 && formatCount(saved.length, 'saved request')}
      </span>
      <span className="pb-grow" />
      <SaveButton draft={draft} saved={saved} onSave={save} />
    </Bar>
  );
  return (
    <Pane label="Saved requests" bar={bar}>
      <VirtualRows
        label="Saved requests"
        count={saved.length}
        rowSize="row"
        onRange={nothing}
        generation={serverId}
        selected={selected}
        onSelect={load}
        onOpen={() => workspace.setState({ focusComposerOf: serverId })}
        follow={false}
        reveal={null}
        empty={
          <EmptyState
            title="No saved requests"
            text="Write a request, then save it here to send it again later."
          />
        }
      >
        {(index) => {
          const item = saved[index];
          if (item === undefined) return null;
          return (
            <div className={classes.row} data-tip={item.text.slice(0, 300)} data-tip-side="right">
              <span className="pb-ellipsis">{item.name}</span>
              <span className="pb-grow" />
              <IconButton
                icon={IconTrash}
                label={`Delete ${item.name}`}
                onClick={(event) => {
                  // The row would load the request over the draft.
                  event.stopPropagation();
                  // The second click of a double click is on the next request.
                  if (event.detail <= 1) remove(index);
                }}
              />
            </div>
          );
        }}
      </VirtualRows>
    </Pane>
  );
}

interface SaveButtonProps {
  draft: ComposerDraft;
  saved: readonly SavedRequest[];
  onSave: (name: string) => void;
}

/** Saves the draft under a name; an existing name is replaced. */
function SaveButton({ draft, saved, onSave }: SaveButtonProps) {
  const [opened, setOpened] = useState(false);
  const { ui } = useModel();
  // It may fit in the place of another, once it has a name.
  const reason = useUi((state) => notSavedReason(state, draft, longest(saved)));
  const isEmpty = draft.mode === 'request' ? draft.method === '' : draft.message.trim() === '';
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" trapFocus withinPortal>
      <Popover.Target>
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconBookmark size={14} />}
          disabled={isEmpty}
          data-tip={reason ?? undefined}
          data-disabled={reason !== null || undefined}
          aria-disabled={reason !== null}
          onClick={() => setOpened(reason === null && !opened)}
        >
          Save…
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <NameForm
          initial={draft.mode === 'request' ? draft.method : 'Message'}
          taken={saved.map(({ name }) => name)}
          submit="Save"
          problemOf={(name) =>
            notSavedReason(
              ui.getState(),
              draft,
              saved.find((item) => item.name === name),
            )
          }
          onName={(name) => {
            onSave(name);
            setOpened(false);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

function longest(saved: readonly SavedRequest[]): SavedRequest | undefined {
  return saved.toSorted((a, b) => sizeOf(b.text) - sizeOf(a.text))[0];
}
