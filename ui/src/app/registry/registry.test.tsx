import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { expect, it } from 'vitest';
import type { ServerItem } from '../../contract/generated';
import { ScriptedHost } from '../../host/scripted';
import { httpDraftOf, emptyHttpForm } from '../../model/servers/httpForm';
import { connection, server } from '../../model/servers/servers.fixture';
import { type Model, ModelProvider, createModel } from '../../model/workspace/context';
import { SHORTCUTS } from '../../model/workspace/shortcuts';
import { ExplorePanel } from '../../panels/explore/tabs/ExplorePanel';
import { EXPLORE_TABS, type ExploreTabProps } from '../../panels/explore/tabs/tabs';
import type { PartEntry } from '../../widgets/layout/part';
import { ModeSwitch } from '../ModeSwitch';
import { COMMANDS } from './commands';
import { SERVER_COMMANDS } from './serverCommands';

const program = server('a', connection({ state: 'ready' }));
const remote: ServerItem = {
  ...server('b', connection({ state: 'ready' })),
  draft: {
    ...server('b', connection({})).draft,
    transport: httpDraftOf({ ...emptyHttpForm(), url: 'https://mcp.example/mcp' }),
  },
};

async function open(part: ReactNode): Promise<Model> {
  const model = createModel(new ScriptedHost({ server_list: () => ({ items: [program, remote] }) }));
  await model.servers.refresh();
  await Promise.all(EXPLORE_TABS.map(({ Part }) => Part.preload()));
  render(
    <MantineProvider env="test">
      <ModelProvider model={model}>{part}</ModelProvider>
    </MantineProvider>,
  );
  return model;
}

// A new list in Explore is this panel, in a folder of `panels/explore`, …
function NotesPanel({ serverId }: ExploreTabProps) {
  return <p>The notes about {serverId}</p>;
}
// … and this entry in `panels/explore/tabs/tabs.ts`.
const NOTES: PartEntry<ExploreTabProps> = {
  id: 'notes',
  title: 'Notes',
  Part: NotesPanel,
  available: (item) =>
    item?.draft.transport.type === 'http' ? { disabledReason: 'Notes are about programs.' } : true,
};

it('a new panel of Explore is one entry and one component', async () => {
  const model = await open(
    <ExplorePanel serverId={program.id} lead={null} tabs={[NOTES, ...EXPLORE_TABS]} />,
  );
  await userEvent.click(screen.getByRole('tab', { name: 'Notes' }));
  expect(screen.getByText('The notes about a')).toBeDefined();
  expect(model.ui.getState().exploreTab).toBe('notes');
});

it('a panel is open when the button goes down on its tab; the menu button and Ctrl with a click open none', async () => {
  const model = await open(
    <ExplorePanel serverId={program.id} lead={null} tabs={[NOTES, ...EXPLORE_TABS]} />,
  );
  const before = model.ui.getState().exploreTab;
  const tab = screen.getByRole('tab', { name: 'Notes' });
  fireEvent.mouseDown(tab, { button: 2 });
  fireEvent.mouseDown(tab, { button: 0, ctrlKey: true });
  expect(model.ui.getState().exploreTab).toBe(before);
  fireEvent.mouseDown(tab, { button: 0 });
  expect(screen.getByText('The notes about a')).toBeDefined();
});

it('a panel that is not available for a server is dimmed with the reason, and another one is open', async () => {
  await open(
    <ExplorePanel
      serverId={remote.id}
      lead={null}
      tabs={[{ ...NOTES, id: 'tools' }, NOTES, EXPLORE_TABS.find(({ id }) => id === 'info')!]}
    />,
  );
  const tab = screen.getAllByRole('tab', { name: 'Notes' })[0]!;
  expect(tab.hasAttribute('disabled')).toBe(true);
  expect(tab.dataset['tip']).toBe('Notes are about programs.');
  expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Info');
});

it('authorization is offered for a server at a URL, and dimmed for a program', async () => {
  await open(
    <>
      <ModeSwitch serverId={program.id} />
      <ModeSwitch serverId={remote.id} />
    </>,
  );
  const off = screen
    .getAllByRole('radio', { name: /^Authorization/ })
    .map((radio) => radio.hasAttribute('disabled'));
  expect(off).toEqual([true, false]);
  expect(screen.getAllByText('Authorization')[0]?.dataset['tip']).toMatch(/Only HTTP servers/);
});

it('each shortcut that works anywhere runs a command, and no two entries share an id', () => {
  const pressed = SHORTCUTS.filter(
    ({ group, id, outside }) => group === 'Anywhere' && id !== 'close' && !outside,
  ).map(({ id }) => id);
  const commands = new Set(COMMANDS.map(({ id }) => id));
  expect(pressed.filter((id) => !commands.has(id))).toEqual([]);
  const ids = [...COMMANDS, ...SERVER_COMMANDS].map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});
