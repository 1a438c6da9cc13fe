import { useEffect, useMemo, useRef, useState } from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';
import { useStore } from 'zustand';
import type { ServerId, ToolItem } from '../../../contract/generated';
import { useModel, useServerPart, useUi } from '../../../model/workspace/context';
import { emptyList } from '../../../model/lists/serverList';
import type { ToolRow } from '../../../model/tools/tools';
import { useFocusRequest } from '../../../model/workspace/useFocusRequest';
import { useLayout } from '../../../model/workspace/useLayout';
import { NothingSelected } from '../list/NothingSelected';
import { useListRoom } from '../../../model/workspace/useListRoom';
import { ReviewDialog } from './definitions/ReviewDialog';
import { ToolContext } from './ToolContext';
import { ToolPane } from './ToolPane';
import { ToolList } from './ToolList';
import { useContextColumn } from './useContextColumn';
import { useToolDetail } from '../../../content/useToolDetail';
import { useFocusReturn } from '../../../widgets/focus/useFocusReturn';
import panes from '../list/panes.module.css';

const PANELS = ['list', 'tool', 'context'];
const WITHOUT_CONTEXT = ['list', 'tool'];
const NO_TOOLS = emptyList<ToolItem>();

/** The tools of one server: the list, the selected tool with its result, and its definition. */
export function ToolsPanel({ serverId }: { serverId: ServerId }) {
  const { tools, ui, definitions } = useModel();
  const list = useStore(tools, (lists) => lists[serverId] ?? NO_TOOLS);
  const connectionId = useServerPart(serverId, (server) => server?.connection.connectionId ?? null);
  const ready = useServerPart(serverId, (server) => server?.connection.state === 'ready');
  const column = useContextColumn();
  const contextOpen = column.isOpen;
  const hasListRoom = useListRoom();
  const chosen = useUi(({ selectedTools }) => selectedTools[serverId]);
  const selected = useMemo(() => findRow(list.rows, chosen), [list.rows, chosen]);
  const trust = useServerPart(serverId, (server) => server?.draft.definitionTrust ?? 'ask');
  /** The dialog of changed definitions, and the tool it begins with. */
  const [reviewing, setReviewing] = useState<{ first: string | null } | null>(null);
  useFocusReturn(reviewing !== null);
  const pane = useRef<HTMLDivElement>(null);

  useEffect(() => {
    // Each connection has its own list; the list of the last connection stays until the new one is known.
    if (ready && connectionId !== null) tools.ensure(serverId, connectionId);
  }, [tools, serverId, ready, connectionId]);

  useEffect(() => {
    // The setting decides which tools are refused.
    void definitions.load(serverId);
    // oxlint-disable-next-line react/exhaustive-deps
  }, [definitions, serverId, connectionId, trust]);

  const select = (row: ToolRow): void => {
    tools.setInUse(serverId);
    ui.setState(({ selectedTools }) => ({ selectedTools: { ...selectedTools, [serverId]: rowKey(row) } }));
  };
  /** The first field, or “Call tool” for a tool without arguments. */
  const focusArguments = (): void => {
    const find = (selector: string): HTMLElement | null | undefined => pane.current?.querySelector(selector);
    (find('[data-arguments] :is(input, textarea, .cm-content)') ?? find('[data-call]'))?.focus();
  };

  const detail = useToolDetail(serverId, selected?.item, list.rows);
  useFocusRequest('tools', serverId, selected !== undefined && detail.state !== 'loading', focusArguments);
  const layout = useLayout(contextOpen ? 'tools' : 'tools-list', contextOpen ? PANELS : WITHOUT_CONTEXT);
  return (
    <Group orientation="horizontal" className={panes.fill} data-run-scope {...layout}>
      {(selected === undefined || (hasListRoom && !(contextOpen && column.replacesList))) && (
        <>
          <Panel id="list" defaultSize="24%" minSize="160px" groupResizeBehavior="preserve-pixel-size">
            <ToolList
              serverId={serverId}
              list={list}
              selected={selected}
              onSelect={select}
              onOpen={focusArguments}
              onReview={() => setReviewing({ first: null })}
            />
          </Panel>
          <Separator className="pb-separator" />
        </>
      )}
      <Panel id="tool" minSize={column.replacesList ? '285px' : '300px'}>
        <div ref={pane} className={panes.fill}>
          {selected === undefined ? (
            <NothingSelected
              list={list}
              noun="tool"
              hint="Select a tool to see its arguments and call it."
              missing={nameOf(chosen)}
              onRefresh={() => void tools.load(serverId, true)}
            />
          ) : (
            <ToolPane
              key={`${serverId} ${rowKey(selected)}`}
              serverId={serverId}
              item={selected.item}
              detail={detail}
              onReview={(first) => setReviewing({ first })}
            />
          )}
          {reviewing !== null && (
            <ReviewDialog serverId={serverId} first={reviewing.first} onClose={() => setReviewing(null)} />
          )}
        </div>
      </Panel>
      {contextOpen && selected !== undefined && (
        <>
          <Separator className="pb-separator" />
          <Panel
            id="context"
            defaultSize={column.replacesList ? '40%' : '28%'}
            minSize={column.replacesList ? '190px' : '200px'}
          >
            <ToolContext item={selected.item} detail={detail} />
          </Panel>
        </>
      )}
    </Group>
  );
}

function rowKey({ item }: ToolRow): string {
  return `${item.index}:${item.name}`;
}

/** The name in a remembered row; none of a tool without a name. */
function nameOf(key: string | undefined): string | undefined {
  return key?.slice(key.indexOf(':') + 1) || undefined;
}

/** The row remembered by index and name; after the list has changed, by name alone. */
function findRow(rows: ToolRow[], key: string | undefined): ToolRow | undefined {
  if (key === undefined) return undefined;
  const name = nameOf(key);
  const same = rows[Number(key.slice(0, key.indexOf(':')))];
  if (same?.item.name === (name ?? '')) return same;
  return name === undefined ? undefined : rows.find(({ item }) => item.name === name);
}
