import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { TrafficDelta } from '../../contract/generated';
import { ScriptedHost } from '../../host/scripted';
import { useTrafficView } from '../../model/traffic/useTrafficView';
import { ModelProvider, createModel } from '../../model/workspace/context';
import { LogCount } from './LogCount';

function Part() {
  const view = useTrafficView({ serverId: null, text: 'ping' });
  return (
    <>
      <LogCount view={view} noun="record" />
      <button type="button" onClick={() => view.setPaused(true)}>
        Pause
      </button>
    </>
  );
}

it('says that older records are searched, also while paused', () => {
  const host = new ScriptedHost();
  render(
    <MantineProvider env="test">
      <ModelProvider model={createModel(host)}>
        <Part />
      </ModelProvider>
    </MantineProvider>,
  );
  const emit = (part: Partial<TrafficDelta>): void =>
    act(() =>
      host.stream('traffic_tail').emit({
        reset: false,
        total: 0,
        added: [],
        changed: [],
        changedMissed: false,
        searching: true,
        storeProblem: null,
        ...part,
      }),
    );
  const count = () => screen.getByTestId('traffic-count').textContent;
  emit({ reset: true });
  expect(count()).toBe('0 records · searching older records…');
  fireEvent.click(screen.getByRole('button', { name: 'Pause' }));
  emit({ total: 300, changedMissed: true });
  expect(count()).toBe('300 records · paused, 0 new · searching older records…');
  emit({ total: 400, changedMissed: true, searching: false });
  expect(count()).toBe('400 records · paused, 0 new');
});
