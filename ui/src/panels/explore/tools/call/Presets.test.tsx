import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { ServerId } from '../../../../contract/generated';
import { ScriptedHost } from '../../../../host/scripted';
import { presetEdits, presetsOfServer } from '../../../../model/tools/presets';
import { ModelProvider, createModel } from '../../../../model/workspace/context';
import { MAX_SAVED_BYTES } from '../../../../model/workspace/saved';
import { Presets } from './Presets';

const SERVER = 's' as ServerId;

it('does not update a preset with arguments that are too long, and says why', async () => {
  const model = createModel(new ScriptedHost({}));
  presetEdits(model.ui, SERVER, 'add').save('Mine', '{}');
  render(
    <MantineProvider env="test">
      <ModelProvider model={model}>
        <Presets
          serverId={SERVER}
          tool="add"
          text={'x'.repeat(MAX_SAVED_BYTES + 1)}
          applied={null}
          onApply={() => {}}
          onApplied={() => {}}
        />
      </ModelProvider>
    </MantineProvider>,
  );
  fireEvent.click(screen.getByRole('button', { name: 'Presets' }));
  const update = await screen.findByRole('menuitem', { name: /^Update Mine/ });
  fireEvent.click(update);
  expect(update.dataset['tip']).toBe('These arguments are too long to be saved.');
  expect(presetsOfServer(model.ui.getState(), SERVER).map(({ text }) => text)).toEqual(['{}']);
});
