import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import { useStore } from 'zustand';
import type { ServerId, ToolChange } from '../../../../contract/generated';
import { type Definitions, NO_DEFINITIONS, changesInWords } from '../../../../model/tools/definitions';
import { formatDateTime } from '../../../../model/text/format';
import { useModel, useServerName } from '../../../../model/workspace/context';
import { CommandAlert } from '../../../../widgets/failure/CommandAlert';
import { VirtualRows } from '../../../../widgets/rows/VirtualRows';
import { DefinitionDetail } from './DefinitionDetail';
import classes from './definitions.module.css';

const CHANGES: Record<ToolChange, string> = { added: 'new', changed: 'changed', removed: 'removed' };
const nothing = (): void => {};

interface ReviewDialogProps {
  serverId: ServerId;
  /** The tool to begin with; null for the first. */
  first: string | null;
  onClose: () => void;
}

/** The tools of a server whose definitions changed, what changed, and accepting it. */
export function ReviewDialog({ serverId, first, onClose }: ReviewDialogProps) {
  const { definitions } = useModel();
  const serverName = useServerName(serverId) ?? serverId;
  const known = useStore(definitions, (all) => all[serverId] ?? NO_DEFINITIONS);
  const [chosen, setChosen] = useState(first);
  const [accepting, setAccepting] = useState(false);
  const found = known.tools.findIndex(({ name }) => name === chosen);
  const at = found < 0 ? 0 : found;
  const selected = known.tools[at];
  const accept = (names: string[] | null, listing: string): void => {
    // The next one takes its place.
    const next = known.tools[at + 1] ?? known.tools[at - 1];
    setAccepting(true);
    void definitions.accept(serverId, names, listing).then((done) => {
      setAccepting(false);
      if (done && names !== null) setChosen(next?.name ?? null);
      if (done && (names === null || next === undefined)) onClose();
    });
  };
  const { listing } = known;
  return (
    <Modal opened onClose={onClose} title={`Tool definitions of ${serverName}`} size="70rem">
      <p className={classes.summary}>{summary(known)}</p>
      {known.error !== null && <CommandAlert error={known.error} />}
      {known.memory.type === 'damaged' && <p className={classes.damaged}>{known.memory.message}</p>}
      <div className={classes.columns}>
        <VirtualRows
          label="Changed tools"
          count={known.tools.length}
          rowSize="row"
          keyOf={(index) => known.tools[index]?.name ?? index}
          onRange={nothing}
          generation={serverId}
          selected={selected === undefined ? null : at}
          onSelect={(index) => setChosen(known.tools[index]?.name ?? null)}
          follow={false}
          reveal={null}
          takesFocus
          empty={<p className={classes.note}>No definitions have changed since you accepted them.</p>}
        >
          {(index) => {
            const tool = known.tools[index];
            return tool === undefined ? null : (
              <div className={classes.row}>
                <span className={classes.rowName}>{tool.name}</span>
                <span className={classes.kind} data-refused={tool.refused || undefined}>
                  {CHANGES[tool.change]}
                </span>
              </div>
            );
          }}
        </VirtualRows>
        {selected !== undefined && known.memory.type !== 'damaged' && (
          <DefinitionDetail
            key={`${known.listing} ${selected.name}`}
            serverId={serverId}
            name={selected.name}
            onAccept={(shown) => accept([selected.name], shown)}
          />
        )}
      </div>
      <div className={classes.buttons}>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        {/* What was just looked at is accepted beside it; this one is for all the others too. */}
        <Button
          variant="default"
          loading={accepting}
          disabled={listing === null || known.tools.length === 0}
          onClick={() => listing !== null && accept(null, listing)}
        >
          Accept all
        </Button>
      </div>
    </Modal>
  );
}

function summary(known: Definitions): string {
  const words = changesInWords(known) ?? 'No definitions have changed since you accepted them.';
  if (known.memory.type === 'damaged') {
    return `${words} No tool can be called until you accept all definitions again.`;
  }
  if (known.memory.type === 'nothing') return 'No definitions are remembered yet.';
  const { firstAtMs, acceptedAtMs } = known.memory;
  const when = formatDateTime(acceptedAtMs ?? firstAtMs).slice(0, 16);
  return acceptedAtMs === null
    ? `${words} They were remembered without a review (${when}).`
    : `${words} Last review: ${when}.`;
}
