import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ReactNode, useState } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ServerId, ToolListResponse, ToolItem } from '../../../contract/generated';
import { CommandFailure } from '../../../host/host';
import { ScriptedHost } from '../../../host/scripted';
import { type Model, ModelProvider, createModel } from '../../../model/workspace/context';
import { aTool, toolPage } from '../../../model/tools/tools.fixture';
import { emptyList } from '../../../model/lists/serverList';
import type { ToolRow } from '../../../model/tools/tools';
import { ToolList } from './ToolList';

const SERVER = 's' as ServerId;
const ROW = 28;

// A list that knows its height.
beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(10 * ROW);
  vi.stubGlobal(
    'ResizeObserver',
    class {
      readonly #tell: (entries: readonly never[]) => void;
      constructor(tell: (entries: readonly never[]) => void) {
        this.#tell = tell;
      }
      observe(): void {
        this.#tell([]);
      }
      unobserve(): void {}
      disconnect(): void {}
    },
  );
});
afterEach(() => vi.unstubAllGlobals());

function Providers({ model, children }: { model: Model; children: ReactNode }) {
  return (
    <MantineProvider env="test">
      <ModelProvider model={model}>{children}</ModelProvider>
    </MantineProvider>
  );
}

const SIXTY = () => toolPage(Array.from({ length: 60 }, (_, i) => aTool(i, `tool_${i}`)));

/** The list that the engine answers with, and which of its tools is selected. */
async function show(answer: () => ToolListResponse | CommandFailure, selected = -1): Promise<void> {
  const model = createModel(new ScriptedHost({ tool_list: answer }));
  await model.tools.load(SERVER, false);
  const list = model.tools.getState()[SERVER] ?? emptyList<ToolItem>();
  render(
    <Providers model={model}>
      <ToolList
        serverId={SERVER}
        list={list}
        selected={list.rows[selected]}
        onSelect={() => {}}
        onOpen={() => {}}
        onReview={() => {}}
      />
    </Providers>,
  );
}

it('brings the selected tool into view whenever the filter changes', async () => {
  await show(SIXTY, 45);
  const scroller = screen.getByRole('listbox', { name: 'Tools' });
  const filter = (query: string): void =>
    void fireEvent.change(screen.getByLabelText('Search tools'), { target: { value: query } });
  const isInView = (index: number): boolean =>
    scroller.scrollTop <= index * ROW && scroller.scrollTop + 10 * ROW >= (index + 1) * ROW;
  const scrollAway = (): void => {
    scroller.scrollTop = 0;
    fireEvent.scroll(scroller);
  };

  expect(isInView(45)).toBe(true);
  filter('tool_45');
  // As a browser does when there is less to scroll.
  scrollAway();
  filter('');
  expect(isInView(45)).toBe(true);
  // A filter that leaves the tool at its place in the list.
  filter('tool');
  scrollAway();
  expect(isInView(45)).toBe(false);
  filter('');
  expect(isInView(45)).toBe(true);
});

it('counts no tools of a list that could not be pulled', async () => {
  await show(() => new CommandFailure({ code: 'internal', message: 'the list is broken', detail: null }));
  const section = screen.getByRole('region', { name: 'Tools' });
  expect(section.textContent).toContain('the list is broken');
  expect(section.textContent).not.toContain('0 tools');
});

it('leaves a tool its row, and fills the others again with what the search finds', async () => {
  await show(SIXTY);
  const rows = (): HTMLElement[] => screen.getAllByRole('option');
  const before = rows();
  const five = before[5]!;
  expect(five.textContent).toContain('tool_5');
  fireEvent.change(screen.getByLabelText('Search tools'), { target: { value: 'tool_5' } });
  expect(rows().map(({ textContent }) => textContent)).toEqual([
    'tool_5',
    ...Array.from({ length: 10 }, (_, n) => `tool_5${n}`),
  ]);
  expect(rows()[0]).toBe(five);
  expect(rows().filter((row) => !before.includes(row))).toEqual([]);
  // A row that leaves at the top comes in at the bottom.
  fireEvent.change(screen.getByLabelText('Search tools'), { target: { value: '' } });
  const scroller = screen.getByRole('listbox', { name: 'Tools' });
  scroller.scrollTop = 30 * ROW;
  fireEvent.scroll(scroller);
  expect(rows()[0]!.textContent).toContain('tool_26');
  expect(new Set(rows().map(({ textContent }) => textContent)).size).toBe(rows().length);
});

it('hides tools for apps only until they are asked for', async () => {
  const app = { resourceUri: 'ui://a', forModels: false, forApps: true };
  await show(() => toolPage([aTool(0, 'open'), aTool(1, 'hidden', { app })]));
  expect(screen.getAllByRole('option')).toHaveLength(1);
  expect(screen.getByText(/1 tool for apps only/)).toBeTruthy();
  expect(screen.getByText('1 of 2')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Show' }));
  expect(screen.getAllByRole('option')).toHaveLength(2);
  fireEvent.click(screen.getByRole('button', { name: 'Hide' }));
  expect(screen.getAllByRole('option')).toHaveLength(1);
});

/** A grouped list in which tools can be selected; the selected one is among those that were chosen last. */
async function showGrouped() {
  const names = ['get_user', 'get_issue', 'list_users', 'list_issues', 'ping'];
  const model = createModel(
    new ScriptedHost({ tool_list: () => toolPage(names.map((name, index) => aTool(index, name))) }),
  );
  await model.tools.load(SERVER, false);
  const list = model.tools.getState()[SERVER] ?? emptyList<ToolItem>();
  const onOpen = vi.fn<() => void>();
  function Selecting() {
    const [selected, setSelected] = useState<ToolRow>();
    return (
      <ToolList
        serverId={SERVER}
        list={list}
        selected={selected}
        onSelect={setSelected}
        onOpen={onOpen}
        onReview={() => {}}
      />
    );
  }
  render(
    <Providers model={model}>
      <Selecting />
    </Providers>,
  );
  const user = userEvent.setup();
  const menu = screen.getByRole('button', { name: 'Group tools' });
  await user.click(menu);
  await user.click(await screen.findByRole('menuitemradio', { name: 'By words of the name' }));
  await waitFor(() => expect(document.activeElement).toBe(menu));
  screen.getByRole('listbox', { name: 'Tools' }).focus();
  const shown = (): string[] => screen.getAllByRole('option').map(({ textContent }) => textContent);
  const selected = (): string | undefined => screen.queryByRole('option', { selected: true })?.textContent;
  return { model, user, onOpen, shown, selected };
}

it('groups tools, and is walked through as a tree', async () => {
  const { model, user, onOpen, shown, selected } = await showGrouped();
  expect(shown()).toEqual([
    'get2',
    'get_user',
    'get_issue',
    'list2',
    'list_users',
    'list_issues',
    'Other1',
    'ping',
  ]);
  await user.keyboard('{Home}');
  expect(selected()).toBe('get2');
  await user.keyboard('{ArrowLeft}');
  expect(shown()).toEqual(['get2', 'list2', 'list_users', 'list_issues', 'Other1', 'ping']);
  await user.keyboard('{Enter}{ArrowRight}');
  expect(selected()).toBe('get_user');
  expect(onOpen).not.toHaveBeenCalled();
  await user.keyboard('{Enter}');
  expect(onOpen).toHaveBeenCalledTimes(1);
  await user.keyboard('{ArrowLeft}');
  expect(selected()).toBe('get2');
  // The keys go on from the group of a selected tool that is not shown.
  await user.keyboard('{ArrowDown}');
  act(() => model.workspace.setState({ closedToolGroups: { [SERVER]: ['name get'] } }));
  expect(selected()).toBe('get2');
});

it('shows what is searched for without groups, and keeps how they are grouped', async () => {
  const { model, user, shown } = await showGrouped();
  expect(model.ui.getState().toolGrouping).toBe('name');
  await user.type(screen.getByLabelText('Search tools'), 'issue');
  expect(shown()).toEqual(['get_issue', 'list_issues']);
});
