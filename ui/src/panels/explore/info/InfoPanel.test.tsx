import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Seq, ServerId, TrafficRecordResponse } from '../../../contract/generated';
import { ScriptedHost } from '../../../host/scripted';
import { connection, details } from '../../../model/servers/servers.fixture';
import { row } from '../../../model/traffic/trafficRows.fixture';
import { ModelProvider, createModel } from '../../../model/workspace/context';
import { InfoPanel } from './InfoPanel';

it('keeps the place of what it reads from the log, so that the button below does not move', async () => {
  const frame = {
    params: { protocolVersion: '2025-11-25', clientInfo: { name: 'Patchbay', version: '1.0' } },
  };
  let answer: (request: TrafficRecordResponse) => void = () => {};
  const request = new Promise<TrafficRecordResponse>((resolve) => (answer = resolve));
  const host = new ScriptedHost({
    connection_get: () =>
      details(connection({ state: 'ready', era: 'legacy', revision: '2025-11-25' }), {
        handshakeSeq: '2' as Seq,
      }),
    traffic_record: ({ seq }) =>
      seq === '2' ? ({ pair: row(1), raw: { inline: '{}' } } as unknown as TrafficRecordResponse) : request,
  });
  render(
    <MantineProvider env="test">
      <ModelProvider model={createModel(host)}>
        <InfoPanel serverId={'a' as ServerId} />
      </ModelProvider>
    </MantineProvider>,
  );
  await screen.findByRole('button', { name: 'Ping' });
  const names = namesOfFacts();
  expect(names).toContain('Client');
  answer({
    pair: row(2),
    raw: { inline: JSON.stringify(frame) },
  } as unknown as TrafficRecordResponse);
  expect(await screen.findByText('Patchbay 1.0, as sent to the server')).toBeDefined();
  expect(namesOfFacts()).toEqual(names);
});

/** The names of all facts, in the order in which they are shown. */
function namesOfFacts(): string[] {
  return [...document.querySelectorAll('dt')].map(({ textContent }) => textContent);
}
