import { type ReactNode, useMemo, useState } from 'react';
import { addressBeside, shownName } from '../../../model/connection/serverName';
import { type ServerLines, useServerLines } from '../../../model/connection/problems/useProblems';
import { type ProblemLine, countsOf } from '../../../model/connection/problems/failures';
import { WEIGHTS, type Weight } from '../../../model/connection/problems/weight';
import { formatCount } from '../../../model/text/format';
import { useActions } from '../../../model/workspace/actions';
import { useModel, useReveal, useServerName, useUi } from '../../../model/workspace/context';
import { FilterInput } from '../../../widgets/controls/FilterInput';
import { ScopeSwitch } from '../../../widgets/controls/ScopeSwitch';
import { Toggle } from '../../../widgets/controls/Toggle';
import { Bar, BarGroup } from '../../../widgets/layout/Bar';
import { EmptyState } from '../../../widgets/layout/EmptyState';
import { Pane } from '../../../widgets/layout/Pane';
import { withListFocus } from '../../../widgets/focus/listFocus';
import { LinkButton } from '../../../widgets/links/LinkButton';
import { VirtualRows } from '../../../widgets/rows/VirtualRows';
import { WeightGlyph } from '../../../widgets/status/WeightGlyph';
import { CodeMarks } from '../../../widgets/text/CodeMarks';
import classes from './problems.module.css';

const nothing = (): void => {};
const WORDS: Record<Weight, string> = { error: 'Errors', warning: 'Warnings', info: 'Info' };
const TIPS: Record<Weight, string> = {
  error: 'Failures, and violations of what the specification requires',
  warning: 'Violations that may have an effect here',
  info: 'Patchbay copes with these; other hosts may not',
};

/** A row: the head of a server, or one of its problems. */
type Row = { of: ServerLines; line: ProblemLine | null };

/** What is wrong with any server: failures, and violations of the specification, by server and weight. */
export function ProblemsPanel({ lead, trail }: { lead: ReactNode; trail: ReactNode }) {
  const { ui } = useModel();
  const actions = useActions();
  const reveal = useReveal();
  const { oneServer, hidden } = useUi((state) => state.problems);
  const serverId = useUi((state) => state.selectedServer);
  const serverName = useServerName(serverId);
  const all = useServerLines();
  const [text, setText] = useState('');
  /** The selected row, by its key: rows come and go above it. */
  const [selected, setSelected] = useState<string | null>(null);
  const isScoped = oneServer && serverName !== undefined;
  const inScope = useMemo(
    () => (isScoped ? all.filter(({ server }) => server.id === serverId) : all),
    [all, isScoped, serverId],
  );
  const counts = countsOf(inScope.flatMap(({ lines }) => lines));
  const rows = useMemo(() => rowsOf(inScope, text, hidden), [inScope, text, hidden]);
  const at = selected === null ? -1 : rows.findIndex((row) => keyOf(row) === selected);
  const save = (part: Partial<{ oneServer: boolean; hidden: string[] }>): void =>
    ui.setState(({ problems }) => ({ problems: { ...problems, ...part } }));

  function open(index: number): void {
    const row = rows[index];
    if (row === undefined) return;
    const { server } = row.of;
    if (row.line !== null && row.line.seq !== null) {
      actions.select(server.id);
      reveal(row.line.seq);
      return;
    }
    actions.select(server.id);
    // A failure is on the page of its server.
    if (row.line !== null) actions.show(server.id, 'explore');
  }

  return (
    <Pane label="Problems" hasFilter>
      <Bar label="Problems">
        {lead}
        <ScopeSwitch
          serverName={serverName}
          oneServer={oneServer}
          onChange={(next) => save({ oneServer: next })}
        />
        <BarGroup label="Problems shown">
          {WEIGHTS.map((weight) => (
            <Toggle
              key={weight}
              pressed={!hidden.includes(weight)}
              tip={TIPS[weight]}
              onChange={(isOn) =>
                save({ hidden: isOn ? hidden.filter((each) => each !== weight) : [...hidden, weight] })
              }
            >
              <WeightGlyph weight={weight} />
              <span className={classes.word}>{WORDS[weight]}</span>{' '}
              <span className="pb-num">{formatCount(counts[weight])}</span>
            </Toggle>
          ))}
        </BarGroup>
        <FilterInput label="Filter problems" value={text} delayMs={150} width={220} onChange={setText} />
        <span className={classes.rest} />
        {trail}
      </Bar>
      <div className={classes.body}>
        <VirtualRows
          label="Problems"
          count={rows.length}
          rowSize="row-dense"
          generation={text}
          onRange={nothing}
          keyOf={(index) => keyOf(rows[index]) ?? index}
          selected={at < 0 ? null : at}
          anchor={at < 0 ? null : selected}
          onSelect={(index) => setSelected(keyOf(rows[index]))}
          onOpen={open}
          onEscape={() => setSelected(null)}
          follow={false}
          reveal={null}
          empty={
            <NoProblems
              hasSome={inScope.length > 0}
              onShowAll={() => {
                setText('');
                save({ hidden: [] });
              }}
            />
          }
        >
          {(index) => {
            const row = rows[index];
            return row === undefined ? null : <ProblemRow row={row} onOpen={() => open(index)} />;
          }}
        </VirtualRows>
      </div>
    </Pane>
  );
}

/** What a row is, wherever it is: a server, or a rule and a message there. */
function keyOf(row: Row | undefined): string | null {
  if (row === undefined) return null;
  const { of, line } = row;
  return JSON.stringify([of.server.id, ...(line === null ? [] : [line.rule, line.message])]);
}

/** The head of each server with problems that are shown, followed by them. */
function rowsOf(all: readonly ServerLines[], text: string, hidden: readonly string[]): Row[] {
  const words = text.toLowerCase().split(/\s+/u).filter(Boolean);
  return all.flatMap((of) => {
    const name = shownName(of.server);
    const lines = of.lines.filter(({ weight, message, rule }) => {
      const searched = `${message} ${rule ?? ''} ${name}`.toLowerCase();
      return !hidden.includes(weight) && words.every((word) => searched.includes(word));
    });
    return lines.length === 0 ? [] : [{ of, line: null }, ...lines.map((line) => ({ of, line }))];
  });
}

function ProblemRow({ row: { of, line }, onOpen }: { row: Row; onOpen: () => void }) {
  if (line === null) return <ServerHead of={of} />;
  const { weight, message, rule, seq, count } = line;
  return (
    // The list handles keys: Enter opens the selected row.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <div className={classes.problem} data-tip={message.length > 80 ? message : undefined} onClick={onOpen}>
      <WeightGlyph weight={weight} />
      <span className={`${classes.message} pb-ellipsis`}>
        <CodeMarks text={message} />
      </span>
      {rule !== null && <span className={`${classes.rule} pb-mono`}>{rule}</span>}
      {count > 1 && (
        <span
          className={`${classes.count} pb-num`}
          data-tip={`In ${formatCount(count, 'record')}; the newest is shown`}
        >
          ×{formatCount(count)}
        </span>
      )}
      <span className={`${classes.record} pb-num`}>{seq === null ? 'server page' : `#${seq}`}</span>
    </div>
  );
}

function ServerHead({ of: { server, lines, reading, unread } }: { of: ServerLines }) {
  const counts = countsOf(lines);
  const parts = [
    counts.error > 0 && formatCount(counts.error, 'error'),
    counts.warning > 0 && formatCount(counts.warning, 'warning'),
    counts.info > 0 && `${formatCount(counts.info)} info`,
    reading && 'reading records…',
    unread > 0 && `${formatCount(unread, 'record')} not read: filter the traffic log by has:violation`,
  ].filter((part) => part !== false);
  return (
    <div className={classes.head}>
      <span className="pb-ellipsis">{shownName(server)}</span>
      <span className={`${classes.facts} pb-ellipsis pb-num`}>
        {[addressBeside(server), ...parts].filter((part) => part !== null).join(' · ')}
      </span>
    </div>
  );
}

function NoProblems({ hasSome, onShowAll }: { hasSome: boolean; onShowAll: () => void }) {
  if (hasSome) {
    return (
      <EmptyState title="No matching problems">
        <LinkButton onClick={withListFocus(onShowAll)}>Show all problems</LinkButton>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="No problems"
      text="Failed connections, and messages that violate the specification, appear here by server."
    />
  );
}
