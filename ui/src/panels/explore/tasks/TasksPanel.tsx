import { Button } from '@mantine/core';
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';
import { useStore } from 'zustand';
import type { ServerId } from '../../../contract/generated';
import { useModel, useServerPart } from '../../../model/workspace/context';
import { formatCount } from '../../../model/text/format';
import { noTasks } from '../../../model/tasks/tasks';
import { useLayout } from '../../../model/workspace/useLayout';
import { CommandAlert } from '../../../widgets/failure/CommandAlert';
import { EmptyState } from '../../../widgets/layout/EmptyState';
import { IconButton } from '../../../widgets/controls/IconButton';
import { VirtualRows } from '../../../widgets/rows/VirtualRows';
import { TaskDetail } from './TaskDetail';
import { TaskRow } from './TaskRow';
import classes from './tasks.module.css';

const ROW = 28;
const nothing = (): void => {};

/** Calls that the server carries out in its own time. */
export function TasksPanel({ serverId }: { serverId: ServerId }) {
  const { tasks } = useModel();
  const list = useStore(tasks, (lists) => lists[serverId] ?? noTasks);
  const connectionId = useServerPart(serverId, (server) =>
    server?.connection.state === 'ready' ? server.connection.connectionId : null,
  );
  const [selected, setSelected] = useState<string | null>(null);
  const layout = useLayout('tasks', ['list', 'task']);

  useEffect(() => {
    if (connectionId !== null) void tasks.load(serverId);
  }, [tasks, serverId, connectionId]);

  const at = list.items.findIndex(({ taskId }) => taskId === selected);
  const task = list.items[at];
  return (
    <Group orientation="horizontal" className={classes.columns} {...layout}>
      <Panel id="list" defaultSize="46%" minSize="260px">
        <section className={classes.list} aria-label="Tasks">
          <div className={classes.bar}>
            <span className={`${classes.count} pb-num`}>
              {list.known ? formatCount(list.items.length, 'task') : ''}
              {list.known && !list.asked && list.items.length > 0 && ' made here'}
            </span>
            <IconButton
              icon={IconRefresh}
              label={list.asked ? 'List the tasks again' : 'Look again'}
              loading={list.loading}
              onClick={() => void tasks.load(serverId)}
            />
          </div>
          {list.changed && (
            <div className={classes.stale} role="status">
              <IconAlertTriangle size={14} aria-hidden />
              <span>The server told of a change.</span>
              <Button variant="default" size="compact-xs" onClick={() => void tasks.load(serverId)}>
                Refresh
              </Button>
            </div>
          )}
          {list.error !== null && <CommandAlert error={list.error} />}
          <div className={classes.rows}>
            <VirtualRows
              label="Tasks"
              count={list.items.length}
              rowHeight={ROW}
              onRange={nothing}
              generation={serverId}
              selected={at < 0 ? null : at}
              onSelect={(index) => setSelected(list.items[index]?.taskId ?? null)}
              follow={false}
              reveal={null}
              empty={list.known && list.error === null && <NoTasks supported={list.supported} />}
            >
              {(index) => {
                const item = list.items[index];
                return item === undefined ? null : <TaskRow task={item} />;
              }}
            </VirtualRows>
          </div>
          {list.nextCursor !== null && (
            <Button
              variant="subtle"
              color="gray"
              loading={list.loading}
              onClick={() => void tasks.load(serverId, true)}
            >
              List more
            </Button>
          )}
        </section>
      </Panel>
      {list.items.length > 0 && (
        <>
          <Separator className="pb-separator" />
          <Panel id="task" minSize="280px">
            {task === undefined ? (
              <EmptyState
                title="No task selected"
                text="Select one to ask how it stands or to fetch its result."
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
      text="A tool that is run as a task (its call options say so), or that the server makes a task of, appears here."
    />
  ) : (
    <EmptyState
      title="The server has no tasks"
      text="It does not declare the capability, so it was not asked."
    />
  );
}
