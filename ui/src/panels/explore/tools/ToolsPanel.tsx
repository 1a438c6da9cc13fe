import { Button } from '@mantine/core';
import { useEffect, useMemo, useRef } from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';
import { useStore } from 'zustand';
import type { ServerId } from '../../../contract/generated';
import { useIsAside, useModel, useServerPart, useUi } from '../../../model/workspace/context';
import { type ToolList as List, type ToolRow, noTools } from '../../../model/tools/tools';
import { useLayout } from '../../../model/workspace/useLayout';
import { EmptyState } from '../../../widgets/layout/EmptyState';
import { ToolContext } from './ToolContext';
import { ToolPane } from './ToolPane';
import { ToolList } from './ToolList';
import { useToolDetail } from './useToolDetail';
import classes from './tools.module.css';

const PANELS = ['list', 'desk', 'context'];

/** List, form and result, context: the tools of one server. */
export function ToolsPanel({ serverId }: { serverId: ServerId }) {
  const { tools, ui } = useModel();
  const list = useStore(tools, (lists) => lists[serverId] ?? noTools);
  const connectionId = useServerPart(serverId, (server) => server?.connection.connectionId ?? null);
  const ready = useServerPart(serverId, (server) => server?.connection.state === 'ready');
  const isAside = useIsAside();
  const contextOpen = useUi(({ toolContextOpen }) => toolContextOpen) && !isAside;
  const chosen = useUi(({ selectedTools }) => selectedTools[serverId]);
  const selected = useMemo(() => findRow(list.rows, chosen), [list.rows, chosen]);
  const desk = useRef<HTMLDivElement>(null);

  useEffect(() => {
    // Each connection has its own list; what the last one showed stays until the new one is known.
    if (ready && connectionId !== null) tools.ensure(serverId, connectionId);
  }, [tools, serverId, ready, connectionId]);

  const select = (row: ToolRow): void =>
    ui.setState(({ selectedTools }) => ({ selectedTools: { ...selectedTools, [serverId]: rowKey(row) } }));
  const focusDesk = (): void =>
    desk.current?.querySelector<HTMLElement>('[data-arguments] :is(input, textarea, .cm-content)')?.focus();

  const detail = useToolDetail(serverId, selected?.item, list.rows);
  const layout = useLayout('tools', PANELS);
  return (
    <Group orientation="horizontal" className={classes.columns} data-run-scope {...layout}>
      <Panel id="list" defaultSize="24%" minSize="180px">
        <ToolList serverId={serverId} list={list} selected={selected} onSelect={select} onOpen={focusDesk} />
      </Panel>
      <Separator className={classes.separator} />
      <Panel id="desk" minSize="320px">
        <div ref={desk} className={classes.fill}>
          {selected === undefined ? (
            <NothingSelected serverId={serverId} list={list} />
          ) : (
            <ToolPane
              key={`${serverId} ${rowKey(selected)}`}
              serverId={serverId}
              item={selected.item}
              detail={detail}
            />
          )}
        </div>
      </Panel>
      {contextOpen && selected !== undefined && (
        <>
          <Separator className={classes.separator} />
          <Panel id="context" defaultSize="28%" minSize="200px">
            <ToolContext item={selected.item} detail={detail} />
          </Panel>
        </>
      )}
    </Group>
  );
}

function NothingSelected({ serverId, list }: { serverId: ServerId; list: List }) {
  const { tools } = useModel();
  if (!list.known || list.error !== null) return null;
  if (list.rows.length > 0) {
    return <EmptyState title="No tool selected" text="Select one to see its arguments and call it." />;
  }
  return (
    <EmptyState
      title={list.supported ? 'The server has no tools' : 'The server does not offer tools'}
      text={
        list.supported
          ? 'They would be listed here, each with a form for its arguments.'
          : 'It does not declare the tools capability, so it was not asked for any.'
      }
    >
      <Button variant="default" loading={list.loading} onClick={() => void tools.load(serverId, true)}>
        {list.supported ? 'List again' : 'Ask anyway'}
      </Button>
    </EmptyState>
  );
}

function rowKey({ item }: ToolRow): string {
  return `${item.index}:${item.name}`;
}

/** The row remembered by place and name; after the list changed, by name alone. */
function findRow(rows: ToolRow[], key: string | undefined): ToolRow | undefined {
  if (key === undefined) return undefined;
  const colon = key.indexOf(':');
  const name = key.slice(colon + 1);
  const same = rows[Number(key.slice(0, colon))];
  if (same?.item.name === name) return same;
  return name === '' ? undefined : rows.find(({ item }) => item.name === name);
}
