import { Button, Modal } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { ChangedItem, FactChangeItem, ItemChange, ServerId } from '../../../../contract/generated';
import {
  FACTS,
  LISTS,
  NO_CHANGES,
  type ServerChanges,
  serverChangesInWords,
} from '../../../../model/connection/serverChanges';
import { indentJson } from '../../../../model/text/json';
import { useModel } from '../../../../model/workspace/context';
import { CommandAlert } from '../../../../widgets/failure/CommandAlert';
import { VirtualRows } from '../../../../widgets/rows/VirtualRows';
import review from './definitions.module.css';
import { TextChange } from './TextChange';
import { ItemDetail } from './ItemDetail';

const CHANGES: Record<ItemChange, string> = { added: 'new', changed: 'changed', removed: 'removed' };
const nothing = (): void => {};

interface ChangesDialogProps {
  serverId: ServerId;
  serverName: string;
  onClose: () => void;
}

/** A row of the dialog. */
type Row = { type: 'fact'; fact: FactChangeItem } | { type: 'item'; item: ChangedItem };

function rowAt({ facts, items }: ServerChanges, index: number): Row | undefined {
  const fact = facts[index];
  if (fact !== undefined) return { type: 'fact', fact };
  const item = items[index - facts.length];
  return item === undefined ? undefined : { type: 'item', item };
}

/** What changed on a server since it was last connected, item by item. */
export function ChangesDialog({ serverId, serverName, onClose }: ChangesDialogProps) {
  const { serverChanges } = useModel();
  useEffect(() => {
    void serverChanges.load(serverId);
  }, [serverChanges, serverId]);
  const changes = useStore(serverChanges, (all) => all[serverId] ?? NO_CHANGES);
  const [at, setAt] = useState(0);
  const [marking, setMarking] = useState(false);
  const count = changes.facts.length + changes.items.length;
  const chosen = Math.min(at, Math.max(0, count - 1));
  const row = rowAt(changes, chosen);
  const mark = (): void => {
    setMarking(true);
    void serverChanges.markSeen(serverId, changes.token).then((done) => {
      setMarking(false);
      if (done) onClose();
    });
  };
  return (
    <Modal opened onClose={onClose} title={`Changes of ${serverName}`} size="70rem">
      <p className={review.summary}>
        {serverChangesInWords(changes) ??
          'Nothing has changed since the last connection. Lists are compared when they are requested.'}
      </p>
      {changes.lists.some(({ complete }) => !complete) && (
        <p className={review.note}>
          Not every list was read to its end: what is missing in it does not count as removed.
        </p>
      )}
      {changes.error !== null && <CommandAlert error={changes.error} />}
      <div className={review.columns}>
        <VirtualRows
          label="Changes"
          count={count}
          rowSize="row"
          keyOf={(index) => keyOf(rowAt(changes, index)) ?? index}
          onRange={nothing}
          generation={serverId}
          selected={row === undefined ? null : chosen}
          onSelect={setAt}
          follow={false}
          reveal={null}
          takesFocus
          empty={<p className={review.note}>No changes.</p>}
        >
          {(index) => <RowLine row={rowAt(changes, index)} />}
        </VirtualRows>
        {row?.type === 'fact' && <FactDetail fact={row.fact} />}
        {row?.type === 'item' && (
          <ItemDetail key={`${changes.token} ${keyOf(row)}`} serverId={serverId} item={row.item} />
        )}
      </div>
      <div className={review.buttons}>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        <Button loading={marking} disabled={count === 0} onClick={mark}>
          Mark as seen
        </Button>
      </div>
    </Modal>
  );
}

function keyOf(row: Row | undefined): string | undefined {
  if (row === undefined) return undefined;
  return row.type === 'fact' ? row.fact.fact : `${row.item.list} ${row.item.id}`;
}

function RowLine({ row }: { row: Row | undefined }) {
  if (row === undefined) return null;
  const name = row.type === 'fact' ? FACTS[row.fact.fact] : row.item.id;
  const kind = row.type === 'fact' ? 'changed' : `${LISTS[row.item.list].one}, ${CHANGES[row.item.change]}`;
  return (
    <div className={review.row}>
      <span className={review.rowName}>{name}</span>
      <span className={review.kind}>{kind}</span>
    </div>
  );
}

function FactDetail({ fact: { fact, before, after } }: { fact: FactChangeItem }) {
  const shown = (text: string | null): string | null =>
    text !== null && fact === 'capabilities' ? indentJson(text) : text;
  return (
    <section className={review.detail} aria-label="Change">
      <header className={review.detailHead}>
        <h3>{FACTS[fact]}</h3>
      </header>
      <TextChange before={shown(before)} after={shown(after)} />
    </section>
  );
}
