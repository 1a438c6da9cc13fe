// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { FileDrop } from '../../../host/host';
import { ScriptedHost } from '../../../host/scripted';
import { ModelProvider, createModel } from '../../../model/workspace/context';
import { useWindowDrop } from '../../../widgets/layout/useWindowDrop';
import { WindowDrop } from './WindowDrop';

function Place() {
  const { place } = useWindowDrop<HTMLDivElement>(() => {});
  return <div ref={place}>place</div>;
}

function open(isWindow = false) {
  const host = new ScriptedHost({
    file_identify: () => ({ files: [{ type: 'registry' }] }),
    ui_state_set: () => ({}),
  });
  const listeners = new Set<(drop: FileDrop) => void>();
  if (isWindow) {
    Object.assign(host, {
      onFileDrop: (listener: (drop: FileDrop) => void) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      droppedFile: () => Promise.resolve(new File(['{}'], 'server.json')),
    });
  }
  const model = createModel(host);
  const { unmount } = render(
    <MantineProvider env="test">
      <ModelProvider model={model}>
        <Place />
        <WindowDrop />
      </ModelProvider>
    </MantineProvider>,
  );
  const tell = (drop: FileDrop): void =>
    act(() => {
      for (const listener of listeners) listener(drop);
    });
  return { workspace: model.workspace, tell, unmount, listeners };
}

const FILES = {
  types: ['Files'],
  items: [{ kind: 'file', getAsFile: () => new File(['{}'], 'server.json'), webkitGetAsEntry: () => null }],
};

describe('files over the page', () => {
  it('can be dropped, which opens their review', async () => {
    const { workspace } = open();
    expect(fireEvent.dragOver(document.body, { dataTransfer: FILES })).toBe(false);
    expect(screen.getByText('Drop to review')).toBeDefined();
    fireEvent.drop(document.body, { dataTransfer: FILES });
    await waitFor(() => expect(workspace.getState().dialog?.type).toBe('addRegistry'));
    expect(screen.queryByText('Drop to review')).toBeNull();
  });

  it('are left to the part that takes them, as is what is not a file', () => {
    open();
    const place = screen.getByText('place');
    place.addEventListener('dragover', (event) => event.preventDefault());
    fireEvent.dragOver(place, { dataTransfer: FILES });
    expect(screen.queryByText('Drop to review')).toBeNull();
    expect(fireEvent.dragOver(document.body, { dataTransfer: { types: ['text/plain'] } })).toBe(true);
    expect(screen.queryByText('Drop to review')).toBeNull();
  });

  it('leave without a trace, and an image of the page is none', () => {
    open();
    fireEvent.dragOver(document.body, { dataTransfer: FILES });
    fireEvent.dragLeave(document.body, { relatedTarget: null });
    expect(screen.queryByText('Drop to review')).toBeNull();
    fireEvent.dragStart(document.body);
    fireEvent.dragOver(document.body, { dataTransfer: FILES });
    expect(screen.queryByText('Drop to review')).toBeNull();
  });

  it('wait for the dialog that is open', () => {
    const { workspace } = open();
    act(() => workspace.setState({ dialog: { type: 'addServer', pasted: '' } }));
    fireEvent.dragOver(document.body, { dataTransfer: FILES });
    expect(screen.getByText('Close the open dialog first')).toBeDefined();
    // The browser does not leave the page for the file.
    expect(fireEvent.drop(document.body, { dataTransfer: FILES })).toBe(false);
    expect(workspace.getState().dialog?.type).toBe('addServer');
    expect(screen.queryByText('Close the open dialog first')).toBeNull();
  });
});

describe('files over the window', () => {
  it('are reviewed by their paths, but where a part takes them', async () => {
    const { workspace, tell, unmount, listeners } = open(true);
    const place = screen.getByText('place');
    place.getBoundingClientRect = () => new DOMRect(0, 0, 10, 10);
    document.elementFromPoint = (x) => (x < 10 ? place : document.body);
    tell({ type: 'over', paths: [], x: 50, y: 5 });
    expect(screen.getByText('Drop to review')).toBeDefined();
    tell({ type: 'over', paths: [], x: 5, y: 5 });
    expect(screen.queryByText('Drop to review')).toBeNull();
    tell({ type: 'drop', paths: ['/x/server.json'], x: 5, y: 5 });
    expect(workspace.getState().dialog).toBeNull();
    tell({ type: 'drop', paths: ['/x/server.json'], x: 50, y: 5 });
    await waitFor(() => expect(workspace.getState().dialog?.type).toBe('addRegistry'));
    unmount();
    expect(listeners.size).toBe(0);
  });
});
