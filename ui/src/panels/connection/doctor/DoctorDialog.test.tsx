import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { DoctorStep } from '../../../contract/generated';
import { ScriptedHost } from '../../../host/scripted';
import { ModelProvider, createModel } from '../../../model/workspace/context';
import { emptyHttpForm, httpDraftOf } from '../../../model/servers/httpForm';
import { connection, server } from '../../../model/servers/servers.fixture';
import { DoctorDialog } from './DoctorDialog';

const step = (index: number, part: Partial<DoctorStep>): DoctorStep => ({
  index,
  kind: 'tcp',
  title: `step ${index}`,
  status: 'running',
  sent: null,
  received: null,
  next: null,
  durationMs: null,
  seq: null,
  certificate: null,
  ...part,
});

async function open() {
  const transport = httpDraftOf({ ...emptyHttpForm(), url: 'https://internal:8443/mcp' });
  const plain = server('internal', connection({ state: 'failed' }));
  const item = { ...plain, draft: { ...plain.draft, transport } };
  const host = new ScriptedHost({
    server_list: () => ({ items: [item] }),
    server_update: () => ({}),
    connection_restart: () => ({}),
  });
  const model = createModel(host);
  await model.servers.refresh();
  const onClose = vi.fn();
  render(
    <MantineProvider env="test">
      <ModelProvider model={model}>
        <DoctorDialog server={item} onClose={onClose} />
      </ModelProvider>
    </MantineProvider>,
  );
  return { host, item, transport, onClose };
}

it('shows each step: how it went, what was sent, what came back, what to do', async () => {
  const { host, item } = await open();
  const stream = host.stream('doctor_run');
  expect(stream.params).toEqual({ subject: { type: 'server', serverId: item.id } });
  act(() => {
    stream.emit(step(0, { title: 'Resolve internal', status: 'ok', received: '10.0.0.7' }));
    stream.emit(step(1, { title: 'Connect to 10.0.0.7:8443' }));
  });
  expect(screen.getByText('Checking…')).toBeDefined();
  act(() => {
    const facts = { sent: 'TCP to 10.0.0.7:8443', received: 'Connection refused', next: 'Start the server.' };
    stream.emit(step(1, { title: 'Connect to 10.0.0.7:8443', status: 'failed', durationMs: 4.2, ...facts }));
    stream.emit(step(2, { title: 'HTTP', status: 'skipped', received: 'Not reached.' }));
    stream.end();
  });
  expect(screen.getByText('Failed: Connect to 10.0.0.7:8443')).toBeDefined();
  const [, failed, skipped] = screen.getAllByRole('listitem');
  for (const text of ['failed', '4.2 ms', 'TCP to', 'Connection refused', 'Start the server.']) {
    expect(failed?.textContent).toContain(text);
  }
  expect(skipped?.textContent).toContain('skipped');
  fireEvent.click(screen.getByRole('button', { name: 'Run again' }));
  expect(host.streams('doctor_run').length).toBe(2);
});

it('accepts a certificate only by a separate click, with the fingerprint in view', async () => {
  const { host, item, transport, onClose } = await open();
  const certificate = { fingerprint: 'ab'.repeat(32), subject: 'CN=internal', reason: 'It is self-signed.' };
  act(() => {
    host.stream('doctor_run').emit(step(0, { kind: 'tls', status: 'failed', certificate }));
    host.stream('doctor_run').end();
  });
  expect(screen.getByText(/^AB:AB:/)).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Accept certificate…' }));
  // The key that has opened the question does not answer it.
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Cancel' }));
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Accept certificate…' }));
  fireEvent.click(screen.getByRole('button', { name: 'Accept certificate…' }));
  expect(host.calls.some(({ name }) => name === 'server_update')).toBe(false);
  fireEvent.click(screen.getByRole('button', { name: 'Accept and connect' }));
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  const changed = { ...item.draft, transport: { ...transport, acceptedFingerprint: 'ab'.repeat(32) } };
  const made = host.calls.filter(({ name }) => name === 'server_update' || name === 'connection_restart');
  expect(made).toEqual([
    { name: 'server_update', params: { serverId: item.id, draft: changed } },
    { name: 'connection_restart', params: { serverId: item.id } },
  ]);
});
