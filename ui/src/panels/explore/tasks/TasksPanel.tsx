import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';
import { useStore } from 'zustand';
import type { ServerId, TaskItem } from '../../../contract/generated';
import { useModel, useServerPart } from '../../../model/workspace/context';
import { formatCount } from '../../../model/text/format';
import { emptyList } from '../../../model/lists/serverList';
import { useLayout } from '../../../model/workspace/useLayout';
import { EmptyState } from '../../../widgets/layout/EmptyState';
import { IconButton } from '../../../widgets/controls/IconButton';
import { VirtualRows } from '../../../widgets/rows/VirtualRows';
import { ListNotices } from '../list/ListNotices';
import { TaskDetail } from './TaskDetail';
import { TaskRow } from './TaskRow';
import classes from './tasks.module.css';

const ROW = 28;
const NO_TASKS = emptyList<TaskItem>();
const nothing = (): void => {};

/** The tasks of a server: calls it runs in the background. */
export function TasksPanel({ serverId }: { serverId: ServerId }) {
  const { tasks } = useModel();
  const list = useStore(tasks, (lists) => lists[serverId] ?? NO_TASKS);
  const connectionId = useServerPart(serverId, (server) =>
    server?.connection.state === 'ready' ? server.connection.connectionId : null,
  );
  const [selected, setSelected] = useState<string | null>(null);
  const layout = useLayout('tasks', ['list', 'task']);

  useEffect(() => {
    if (connectionId !== null) void tasks.load(serverId, false);
  }, [tasks, serverId, connectionId]);

  const at = list.rows.findIndex(({ item }) => item.taskId === selected);
  const task = list.rows[at]?.item;
  const isOwn = list.known && !tasks.isListedByServer(serverId);
  const refresh = (): void => void tasks.load(serverId, true);
  return (
    <Group orientation="horizontal" className={classes.columns} {...layout}>
      <Panel id="list" defaultSize="46%" minSize="260px">
        <section className={classes.list} aria-label="Tasks">
          <div className={classes.bar}>
            <span className={`${classes.count} pb-num`}>
              {list.known ? formatCount(list.rows.length, 'task') : ''}
              {isOwn && list.rows.length > 0 && ' created here'}
            </span>
            <IconButton icon={IconRefresh} label="Refresh tasks" loading={list.loading} onClick={refresh} />
          </div>
          <ListNotices list={list} noun="Task list" onRefresh={refresh} />
          <div className={classes.rows}>
            <VirtualRows
              label="Tasks"
              count={list.rows.length}
              rowHeight={ROW}
              onRange={nothing}
              generation={serverId}
              selected={at < 0 ? null : at}
              onSelect={(index) => setSelected(list.rows[index]?.item.taskId ?? null)}
              follow={false}
              reveal={null}
              empty={list.known && list.error === null && <NoTasks supported={list.supported} />}
            >
              {(index) => {
                const item = list.rows[index]?.item;
                return item === undefined ? null : <TaskRow task={item} />;
              }}
            </VirtualRows>
          </div>
          {list.nextCursor !== null && (
            <Button
              variant="subtle"
              color="gray"
              loading={list.loading}
              onClick={() => void tasks.loadMore(serverId)}
            >
              Load more
            </Button>
          )}
        </section>
      </Panel>
      {list.rows.length > 0 && (
        <>
          <Separator className="pb-separator" />
          <Panel id="task" minSize="280px">
            {task === undefined ? (
              <EmptyState
                title="No task selected"
                text="Select a task to poll its status or get its result."
              />
            ) : (
              <TaskDetail key={task.taskId} serverId={serverId} task={task} />
            )}
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
      text="The server does not declare the tasks capability, so they were not requested."
    />
  );
}
