// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import type { TrafficUsageResponse } from '../../contract/generated';
import { type Answers, ScriptedHost } from '../../host/scripted';
import { connection, server } from '../../model/servers/servers.fixture';
import { ModelProvider, createModel } from '../../model/workspace/context';
import { initialUiState } from '../../model/workspace/uiState';
import page from '../../../../docs/src/reference/app-settings.md?raw';
import { SettingsDialog } from './SettingsDialog';
import { SETTINGS, found } from './settings';

const plain = server('plain', connection({}));
const own = server('own', connection({}));
own.draft.inheritEnvironment = true;
own.draft.definitionTrust = 'accept';
own.draft.trustAnnotations = true;
own.draft.automatic = { connect: true, reconnect: true };
own.draft.timeouts = { ...own.draft.timeouts, requestMs: 5000 };

async function open(answers: Answers = {}) {
  const usage: TrafficUsageResponse = {
    bytes: 2048,
    records: 3,
    oldestAtMs: null,
    maxBytes: null,
    maxAgeMs: null,
    removed: 0,
    removedUptoMs: null,
  };
  const host = new ScriptedHost({
    ui_state_get: () => ({ stateJson: '{}' }),
    ui_state_set: () => ({}),
    server_list: () => ({ items: [plain, own] }),
    traffic_usage: () => ({ ...usage }),
    traffic_set_quota: ({ maxBytes, maxAgeMs }) => {
      Object.assign(usage, { maxBytes, maxAgeMs });
      return {};
    },
    ...answers,
  });
  const model = createModel(host);
  const onClose = vi.fn<() => void>();
  await Promise.all([model.ui.load(), model.servers.refresh()]);
  render(
    <MantineProvider>
      <ModelProvider model={model}>
        <SettingsDialog onClose={onClose} />
      </ModelProvider>
    </MantineProvider>,
  );
  const row = (title: string) => within(screen.getByRole('group', { name: title }));
  return { host, model, row, onClose };
}

describe('the settings', () => {
  it('are found by words, in any order, and nothing found leads on', async () => {
    expect(found('')).toEqual(SETTINGS);
    expect(found('dark THEME').map(({ id }) => id)).toEqual(['theme', 'contrast']);
    expect(found('compact').map(({ id }) => id)).toEqual(['density']);
    expect(found('quota').map(({ id }) => id)).toEqual(['log-limits']);
    await open();
    fireEvent.change(screen.getByLabelText('Search settings'), { target: { value: 'connect 60' } });
    expect(screen.getAllByRole('group').map((group) => group.getAttribute('aria-label'))).toEqual([
      'Timeouts',
    ]);
    fireEvent.change(screen.getByLabelText('Search settings'), { target: { value: 'xyzzy' } });
    expect(screen.getByText('No matching settings')).toBeDefined();
  });

  it('are set at once, and reset to the default that is told', async () => {
    const { model, row } = await open();
    expect(row('Theme').queryByRole('button', { name: 'Reset Theme' })).toBeNull();
    fireEvent.click(row('Theme').getByRole('radio', { name: 'Dark' }));
    expect(model.ui.getState().theme).toBe('dark');
    fireEvent.click(row('Theme').getByRole('button', { name: 'Reset Theme' }));
    expect(model.ui.getState().theme).toBe(initialUiState.theme);
    fireEvent.click(row('Tool definition column').getByRole('switch'));
    expect(model.ui.getState().toolContextOpen).toBe(false);
    fireEvent.click(row('Offer earlier answers').getByRole('switch'));
    expect(model.ui.getState().keepsAnswers).toBe(false);
    fireEvent.click(row('Density').getByRole('radio', { name: 'Compact' }));
    fireEvent.click(row('Contrast').getByRole('radio', { name: 'High' }));
    fireEvent.click(row('Motion').getByRole('radio', { name: 'Reduced' }));
    expect(model.ui.getState()).toMatchObject({ density: 'compact', contrast: 'high', motion: 'reduced' });
  });

  it('take a font size within its limits only', async () => {
    const { model, row } = await open();
    const field = row('Font size').getByRole<HTMLInputElement>('textbox');
    const write = (value: string): void => {
      fireEvent.change(field, { target: { value } });
      expect(model.ui.getState().uiFontPx).toBeGreaterThanOrEqual(11);
    };
    write('1');
    expect(model.ui.getState().uiFontPx).toBe(13);
    write('15');
    expect(model.ui.getState().uiFontPx).toBe(15);
    write('99');
    expect(model.ui.getState().uiFontPx).toBe(15);
    fireEvent.blur(field);
    expect(model.ui.getState().uiFontPx).toBe(18);
    // An emptied field shows again what holds.
    write('');
    fireEvent.blur(field);
    await waitFor(() => expect(field.value).toBe('18 px'));
    fireEvent.click(row('Font size').getByRole('button', { name: 'Reset Font size' }));
    await waitFor(() => expect(field.value).toBe('13 px'));
    expect(model.ui.getState().codeFontPx).toBe(12);
  });

  it('list what is called without asking, and remove an exception', async () => {
    const { model, row } = await open();
    const tools = row('Tools that are called without asking');
    expect(tools.getByText('None')).toBeDefined();
    model.ui.setState({ unconfirmedServers: [own.id], unconfirmedTools: { [plain.id]: ['drop'] } });
    expect(await tools.findByText('own: all tools')).toBeDefined();
    const [first] = tools.getAllByRole('button', { name: 'Remove exception' });
    if (first !== undefined) fireEvent.click(first);
    expect(model.ui.getState().unconfirmedTools).toEqual({ [plain.id]: [] });
    await waitFor(() => expect(tools.getAllByRole('button', { name: 'Remove exception' })).toHaveLength(1));
    fireEvent.click(tools.getByRole('button', { name: 'Remove exception' }));
    expect(model.ui.getState().unconfirmedServers).toEqual([]);
    // Empty lists are the default.
    await waitFor(() => expect(tools.queryByRole('button')).toBeNull());
  });

  it('name the servers that differ from the default, with the way to them', async () => {
    const { model, row } = await open();
    expect(row('Program environment').getByText('own: whole environment')).toBeDefined();
    expect(row('Changed tool definitions').getByText('own: trusted')).toBeDefined();
    expect(row('Automatic connection').getByText('own: at start, when lost')).toBeDefined();
    expect(row('Tool annotations').getByText('own: trusted')).toBeDefined();
    expect(row('Timeouts').getByText('own: 5 s, 600 s in total')).toBeDefined();
    expect(screen.queryByText(/^plain:/)).toBeNull();
    fireEvent.click(row('Timeouts').getByRole('button', { name: 'Edit own' }));
    expect(model.workspace.getState().dialog).toEqual({ type: 'editServer', serverId: own.id });
  });

  it('save the limits of the log in place, and show what holds then', async () => {
    const { host, row } = await open();
    const log = row('Size and age of the traffic log');
    const size = await log.findByLabelText('Maximum size (MiB)');
    fireEvent.change(size, { target: { value: '64' } });
    fireEvent.click(log.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(host.calls.filter(({ name }) => name === 'traffic_set_quota')).toEqual([
        { name: 'traffic_set_quota', params: { maxBytes: 64 * 1_048_576, maxAgeMs: null } },
      ]),
    );
    // The fields begin again with what holds.
    await waitFor(() => expect(size.isConnected).toBe(false));
    expect(log.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true);
    expect(log.getByLabelText<HTMLInputElement>('Maximum size (MiB)').value).toBe('64');
  });

  it('take nothing but a number for a limit of the log', async () => {
    const { host, row } = await open();
    const log = row('Size and age of the traffic log');
    const size = await log.findByLabelText<HTMLInputElement>('Maximum size (MiB)');
    fireEvent.change(size, { target: { value: '64' } });
    fireEvent.click(log.getByRole('button', { name: 'Save' }));
    const saves = () => host.calls.filter(({ name }) => name === 'traffic_set_quota').length;
    await waitFor(() => expect(size.isConnected).toBe(false));
    expect(saves()).toBe(1);
    const again = await log.findByLabelText<HTMLInputElement>('Maximum size (MiB)');
    fireEvent.change(again, { target: { value: '-' } });
    fireEvent.submit(again.form!);
    expect(saves()).toBe(1);
    expect(log.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true);
  });

  it('keep what was entered while others are searched, and when Escape is pressed', async () => {
    const { row, onClose } = await open();
    const search = (value: string): void =>
      void fireEvent.change(screen.getByLabelText('Search settings'), { target: { value } });
    const escape = (): void => void fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' });
    const size = () =>
      row('Size and age of the traffic log').findByLabelText<HTMLInputElement>('Maximum size (MiB)');
    fireEvent.change(await size(), { target: { value: '64' } });
    search('theme');
    expect(screen.queryByRole('group', { name: 'Size and age of the traffic log' })).toBeNull();
    escape();
    expect(onClose).not.toHaveBeenCalled();
    expect(screen.getByText('Unsaved changes.')).toBeDefined();
    search('');
    expect((await size()).value).toBe('64');
    fireEvent.change(await size(), { target: { value: '' } });
    escape();
    expect(onClose).toHaveBeenCalledOnce();
  });

  it('ask before a button that leads to another dialog drops what was entered', async () => {
    const { model, row } = await open();
    const size = await row('Size and age of the traffic log').findByLabelText('Maximum size (MiB)');
    fireEvent.change(size, { target: { value: '64' } });
    fireEvent.click(row('Timeouts').getByRole('button', { name: 'Edit own' }));
    expect(model.workspace.getState().dialog).toBeNull();
    expect(screen.getByText('Unsaved changes.')).toBeDefined();
    fireEvent.click(screen.getByRole('button', { name: 'Discard changes' }));
    expect(model.workspace.getState().dialog).toEqual({ type: 'editServer', serverId: own.id });
  });

  it('are the rows of their page in the documentation, with their defaults', () => {
    // Below them are pages of single settings.
    const [table = ''] = page.split('\n## Keyboard');
    const rows = Array.from(table.matchAll(/^\| (?!Setting)([^|]+) \| (.*) \|$/gm), ([, title, text]) => ({
      title,
      text,
    }));
    expect(rows.map(({ title }) => title)).toEqual(SETTINGS.map(({ title }) => title));
    for (const [n, { text }] of SETTINGS.entries()) {
      const [told = ''] = /Default: [^.]*(?:, |:|\.)/.exec(text) ?? [];
      expect(rows[n]?.text).toContain(told.replace(/[,:.]? ?$/, ''));
    }
  });

  it('say what could not be read where it is, and read it again', async () => {
    const { host, row } = await open();
    const log = row('Size and age of the traffic log');
    const size = await log.findByLabelText('Maximum size (MiB)');
    const usage = host.answers.traffic_usage;
    host.answers.traffic_usage = () => {
      throw new Error('the store is gone');
    };
    fireEvent.change(size, { target: { value: '64' } });
    fireEvent.click(log.getByRole('button', { name: 'Save' }));
    expect((await log.findByRole('alert')).textContent).toContain('the store is gone');
    host.answers.traffic_usage = usage;
    fireEvent.click(log.getByRole('button', { name: 'Try again' }));
    expect((await log.findByLabelText<HTMLInputElement>('Maximum size (MiB)')).value).toBe('64');
    expect(log.queryByRole('alert')).toBeNull();
  });
});

describe('the sections', () => {
  it('are listed beside the settings, with the current one marked', async () => {
    await open();
    const list = within(screen.getByRole('navigation', { name: 'Sections' }));
    expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      ...new Set(SETTINGS.map(({ section }) => section)),
    ]);
    const entry = (name: string) => list.getByRole('button', { name });
    expect(entry('Appearance').getAttribute('aria-current')).toBe('location');
    fireEvent.click(entry('Secrets'));
    expect(entry('Secrets').getAttribute('aria-current')).toBe('location');
    expect(entry('Appearance').getAttribute('aria-current')).toBeNull();
    fireEvent.change(screen.getByRole('textbox', { name: 'Search settings' }), {
      target: { value: 'theme' },
    });
    await waitFor(() => expect(list.getAllByRole('listitem')).toHaveLength(1));
    expect(entry('Appearance').getAttribute('aria-current')).toBe('location');
  });
});
