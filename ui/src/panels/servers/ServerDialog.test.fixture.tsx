import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen } from '@testing-library/react';
import { vi } from 'vitest';
import type { ServerDraft, ServerId, ServerItem } from '../../contract/generated';
import { ScriptedHost } from '../../host/scripted';
import { ModelProvider, createModel } from '../../model/workspace/context';
import { connection, server } from '../../model/servers/servers.fixture';
import { ServerDialog } from './ServerDialog';

export const draft = (name: string): ServerDraft => server(name, connection({})).draft;

/** The dialog of a server, or of a new one. */
export async function open(
  edited: ServerItem | null,
  answers: ConstructorParameters<typeof ScriptedHost>[0] = {},
  items: ServerItem[] = [],
) {
  let next = 0;
  const host = new ScriptedHost({
    server_list: () => ({ items }),
    server_add: () => ({ serverId: `new-${++next}` as ServerId }),
    server_update: () => ({}),
    connection_open: () => ({}),
    connection_restart: () => ({}),
    ...answers,
  });
  const model = createModel(host);
  await model.servers.refresh();
  const onClose = vi.fn();
  render(
    <MantineProvider env="test">
      <ModelProvider model={model}>
        <ServerDialog server={edited} pasted="" onClose={onClose} />
      </ModelProvider>
    </MantineProvider>,
  );
  const called = (name: string): unknown[] =>
    host.calls.filter((call) => call.name === name).map(({ params }) => params);
  return { host, model, onClose, called };
}

export const type = (label: string, value: string): void =>
  void fireEvent.change(screen.getByLabelText(label), { target: { value } });
export const press = (name: string): void => void fireEvent.click(screen.getByRole('button', { name }));
