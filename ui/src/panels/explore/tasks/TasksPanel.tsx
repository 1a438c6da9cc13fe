import { IconRefresh } from '@tabler/icons-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';
import { useStore } from 'zustand';
import type { ServerId, TaskItem } from '../../../contract/generated';
import { useModel, useServerPart, useWorkspace } from '../../../model/workspace/context';
import { emptyList, filterRows } from '../../../model/lists/serverList';
import { useLayout } from '../../../model/workspace/useLayout';
import { EmptyState } from '../../../widgets/layout/EmptyState';
import { FilterInput } from '../../../widgets/controls/FilterInput';
import { IconButton } from '../../../widgets/controls/IconButton';
import { VirtualRows } from '../../../widgets/rows/VirtualRows';
import { ListFoot } from '../list/ListFoot';
import { ListNotices } from '../list/ListNotices';
import { NoRows } from '../list/NoRows';
import lists from '../list/list.module.css';
import { TaskDetail } from './TaskDetail';
import { TaskRow } from './TaskRow';
import panes from '../list/panes.module.css';
import classes from './tasks.module.css';

const NO_TASKS = emptyList<TaskItem>();
const nothing = (): void => {};

/** The tasks of a server: calls it runs in the background. */
export function TasksPanel({ serverId }: { serverId: ServerId }) {
  const { tasks, workspace } = useModel();
  const list = useStore(tasks, (all) => all[serverId] ?? NO_TASKS);
  const connectionId = useServerPart(serverId, (server) =>
    server?.connection.state === 'ready' ? server.connection.connectionId : null,
  );
  const selected = useWorkspace(({ selectedTasks }) => selectedTasks[serverId] ?? null);
  const [query, setQuery] = useState('');
  const pane = useRef<HTMLDivElement>(null);
  const layout = useLayout('tasks', ['list', 'task']);

  useEffect(() => {
    if (connectionId !== null) void tasks.load(serverId, true);
  }, [tasks, serverId, connectionId]);

  const rows = useMemo(() => filterRows(list.rows, query), [list.rows, query]);
  const at = rows.findIndex(({ item }) => item.taskId === selected);
  // A filter that hides the task does not close it.
  const task = (rows[at] ?? list.rows.find(({ item }) => item.taskId === selected))?.item;
  const reveal = useMemo(() => (at < 0 ? null : { index: at, query }), [at, query]);
  const select = (index: number): void => {
    const taskId = rows[index]?.item.taskId;
    if (taskId === undefined) return;
    workspace.setState(({ selectedTasks }) => ({ selectedTasks: { ...selectedTasks, [serverId]: taskId } }));
  };
  const isListedByServer = list.pages > 0;
  const refresh = (): void => void tasks.load(serverId, true);
  const cancelLoad = (): void => void tasks.cancelLoad(serverId);
  return (
    <Group orientation="horizontal" className={panes.fill} {...layout}>
      <Panel id="list" defaultSize="46%" minSize="260px">
        <section className={lists.list} aria-label="Tasks" data-filter-scope>
          <div className={lists.bar}>
            <FilterInput label="Search tasks" value={query} onChange={setQuery} delayMs={0} width="100%" />
            <IconButton icon={IconRefresh} label="Refresh tasks" loading={list.loading} onClick={refresh} />
          </div>
          <ListNotices list={list} noun="Task list" onRefresh={refresh} />
          {list.known && !isListedByServer && list.rows.length > 0 && (
            <p className={classes.own}>
              The server does not list its tasks. These were created or reported on this connection.
            </p>
          )}
          <div className={lists.rows}>
            <VirtualRows
              label="Tasks"
              count={rows.length}
              rowSize="row"
              onRange={nothing}
              keyOf={(index) => rows[index]?.item.taskId ?? index}
              generation={`${serverId} ${query}`}
              selected={at < 0 ? null : at}
              onSelect={select}
              onOpen={() => pane.current?.querySelector<HTMLElement>('[data-primary]')?.focus()}
              follow={false}
              reveal={reveal}
              empty={
                list.known && list.error === null && query === '' ? (
                  <NoTasks supported={list.supported} />
                ) : (
                  <NoRows
                    list={list}
                    noun="task"
                    query={query}
                    isPart={query !== ''}
                    onClear={() => setQuery('')}
                    onCancel={cancelLoad}
                  />
                )
              }
            >
              {(index) => {
                const item = rows[index]?.item;
                return item === undefined ? null : <TaskRow task={item} />;
              }}
            </VirtualRows>
          </div>
          <ListFoot
            list={list}
            noun="task"
            matching={query === '' ? null : rows.length}
            onMore={(all) => void tasks.requestMore(serverId, all)}
            onCancel={cancelLoad}
          />
        </section>
      </Panel>
      {list.rows.length > 0 && (
        <>
          <Separator className="pb-separator" />
          <Panel id="task" minSize="280px">
            <div ref={pane} className={panes.fill}>
              {task === undefined ? (
                <EmptyState
                  title="No task selected"
                  text="Select a task to poll its status or get its result."
                />
              ) : (
                <TaskDetail key={task.taskId} serverId={serverId} task={task} />
              )}
            </div>
          </Panel>
        </>
      )}
    </Group>
  );
}

function NoTasks({ supported }: { supported: boolean }) {
  return supported ? (
    <EmptyState
      title="No tasks"
      text="Calls that run as tasks appear here: set by you in Call options, or by the server."
    />
  ) : (
    <EmptyState
      title="Tasks not supported"
      text="The server declares neither the tasks capability nor the tasks extension, so they were not requested."
    />
  );
}
