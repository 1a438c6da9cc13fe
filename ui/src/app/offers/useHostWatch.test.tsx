// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { HostChange } from '../../contract/generated';
import { ScriptedHost } from '../../host/scripted';
import { ModelProvider, createModel } from '../../model/workspace/context';
import { HostNotices } from '../notices/HostNotices';
import { useHostWatch } from './useHostWatch';

function Watch() {
  useHostWatch();
  return <HostNotices />;
}

function open() {
  const host = new ScriptedHost({ ui_state_set: () => ({}) });
  const model = createModel(host);
  render(
    <MantineProvider env="test">
      <ModelProvider model={model}>
        <Watch />
      </ModelProvider>
    </MantineProvider>,
  );
  const streams = () => host.streams('host_watch').filter(({ closed }) => !closed);
  const change = (differing: number): HostChange => ({ place: { host: 'Cursor', path: '/c' }, differing });
  return { model, streams, change };
}

it('watches only what was imported from, if wanted', () => {
  const { model, streams } = open();
  expect(streams()).toEqual([]);
  act(() => model.ui.setState({ watchesHosts: true }));
  expect(streams()).toEqual([]);
  act(() => model.ui.setState({ importedHosts: ['/c'] }));
  expect(streams().map(({ params }) => params)).toEqual([{ paths: ['/c'] }]);
  act(() => model.ui.setState({ watchesHosts: false }));
  expect(streams()).toEqual([]);
});

it('shows a change until it is reviewed, or nothing differs any more', () => {
  const { model, streams, change } = open();
  act(() => model.ui.setState({ watchesHosts: true, importedHosts: ['/c'] }));
  const emit = (event: HostChange): void => act(() => streams()[0]?.emit(event));
  emit(change(2));
  expect(screen.getByText('Cursor’s configuration changed: 2 servers differ')).toBeDefined();
  emit(change(1));
  expect(screen.getByText('Cursor’s configuration changed: 1 server differs')).toBeDefined();
  emit(change(0));
  expect(screen.queryByRole('alert')).toBeNull();
  emit(change(3));
  fireEvent.click(screen.getByRole('button', { name: 'Review…' }));
  expect(model.workspace.getState().dialog).toEqual({
    type: 'importServers',
    source: { type: 'place', host: 'Cursor', path: '/c' },
  });
  expect(screen.queryByRole('alert')).toBeNull();
});

it('says why nothing is watched, and stops when that is dismissed', () => {
  const { model, streams } = open();
  act(() => model.ui.setState({ watchesHosts: true, importedHosts: ['/c'] }));
  act(() => streams()[0]?.end({ code: 'storage', message: 'Too many files.', detail: null }));
  expect(screen.getByText('Too many files.')).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Stop watching' }));
  expect(model.ui.getState().watchesHosts).toBe(false);
  expect(screen.queryByRole('alert')).toBeNull();
});
