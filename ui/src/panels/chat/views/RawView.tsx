import { useState } from 'react';
import { useStore } from 'zustand';
import type { ConversationStore } from '../../../model/chat/conversation';
import { recordsOf } from '../../../model/chat/operations';
import { MOST_TURNS, useTurnTerm } from '../../../model/chat/useTurnRecords';
import { formatCount } from '../../../model/text/format';
import { useRowSelection, useSelectedRow } from '../../../model/traffic/useRowSelection';
import { useTrafficView } from '../../../model/traffic/useTrafficView';
import { useModel, useReveal } from '../../../model/workspace/context';
import { FilterInput } from '../../../widgets/controls/FilterInput';
import { CommandAlert } from '../../../widgets/failure/CommandAlert';
import { EmptyState } from '../../../widgets/layout/EmptyState';
import { LinkButton } from '../../../widgets/links/LinkButton';
import { LogCount } from '../../../widgets/rows/LogCount';
import { LogRows } from '../../../widgets/rows/LogRows';
import { NoMatches } from '../../../widgets/rows/NoMatches';
import { TrafficHead } from '../../../widgets/traffic/TrafficHead';
import { TrafficRow, UnknownRow } from '../../../widgets/traffic/TrafficRow';
import classes from './views.module.css';

/** What crossed to the provider and to the servers for this conversation: its records in the traffic log. */
export function RawView({ conversation }: { conversation: ConversationStore }) {
  const { ui } = useModel();
  const reveal = useReveal();
  const [text, setText] = useState('');
  const term = useTurnTerm(conversation);
  const view = useTrafficView({ text, serverId: null, terms: [term] });
  const selection = useRowSelection(view);
  const selected = useSelectedRow(view, selection);
  const isCut = useStore(conversation, ({ items }) => recordsOf(items, MOST_TURNS + 1).length > MOST_TURNS);
  const open = (): void => {
    if (selection.seq !== null) reveal(selection.seq);
  };
  return (
    <div className={classes.raw} data-filter-scope>
      <div className={classes.head}>
        <FilterInput
          label="Filter these records"
          value={text}
          problem={view.problem}
          delayMs={150}
          width={240}
          onChange={setText}
        />
        <LogCount view={view} noun="record" />
        {isCut && <span className={classes.note}>of the newest {formatCount(MOST_TURNS, 'turn')}</span>}
        <span className="pb-grow" />
        <LinkButton
          onClick={() => {
            ui.setState(({ traffic }) => ({
              dockOpen: true,
              dockTab: 'traffic',
              traffic: { ...traffic, oneServer: false, filter: `${term} ${text}`.trim() },
            }));
          }}
        >
          Filter Traffic by this conversation
        </LinkButton>
        <LinkButton disabled={selection.seq === null} onClick={open}>
          Show in Traffic
        </LinkButton>
      </div>
      {view.error !== null && <CommandAlert error={view.error} inPane />}
      <TrafficHead showServer />
      <div className={classes.rows}>
        <LogRows
          label="Conversation records"
          view={view}
          selection={selection}
          rowSize="row-dense"
          onOpen={open}
          empty={
            text.trim() !== '' ? (
              <NoMatches view={view} noun="records" onClear={() => setText('')} />
            ) : (
              <EmptyState
                title="No records yet"
                text="Model requests and server messages appear here as they are sent and received. An answer that you write yourself sends nothing."
              />
            )
          }
        >
          {(row) =>
            row === undefined ? (
              <UnknownRow />
            ) : (
              <TrafficRow row={row} showServer isPair={row.seq === selected?.pairSeq} />
            )
          }
        </LogRows>
      </div>
    </div>
  );
}
