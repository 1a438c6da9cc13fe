import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import type { ConnectionId, TaskItem } from '../../../contract/generated';
import { ScriptedHost } from '../../../host/scripted';
import { connection, server } from '../../../model/servers/servers.fixture';
import { ModelProvider, createModel } from '../../../model/workspace/context';
import { TasksPanel } from './TasksPanel';

const TASK: TaskItem = {
  taskId: 't1',
  tool: 'build',
  status: 'working',
  statusMessage: null,
  createdAt: null,
  lastUpdatedAt: null,
  ttlMs: null,
  pollIntervalMs: null,
  progress: null,
  isFinal: false,
  seq: null,
  violations: [],
};

it('goes on with Enter from the list to the result of the selected task', async () => {
  const one = server('one', connection({ state: 'ready', connectionId: 'c' as ConnectionId }));
  const page = {
    items: [TASK],
    total: 1,
    nextCursor: null,
    pages: 1,
    hasMore: false,
    supported: true,
    stale: null,
    freshness: null,
    violations: [],
    revision: 1,
  };
  const model = createModel(
    new ScriptedHost({ server_list: () => ({ items: [one] }), task_list: () => page }),
  );
  await model.servers.refresh();
  render(
    <MantineProvider env="test">
      <ModelProvider model={model}>
        <TasksPanel serverId={one.id} />
      </ModelProvider>
    </MantineProvider>,
  );
  const user = userEvent.setup();
  await screen.findByRole('option');
  screen.getByRole('listbox', { name: 'Tasks' }).focus();
  await user.keyboard('{ArrowDown}{Enter}');
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Get result' }));
});
