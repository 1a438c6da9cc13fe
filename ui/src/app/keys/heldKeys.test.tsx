import { fireEvent, render } from '@testing-library/react';
import { expect, it } from 'vitest';
import { Link } from '../../host/link';
import { ScriptedHost } from '../../host/scripted';
import { createModel } from '../../model/workspace/context';
import { App } from '../App';

it('a key that is held runs its command once, and does nothing else either', async () => {
  const host = new ScriptedHost({
    ui_state_get: () => ({ stateJson: null }),
    ui_state_set: () => ({}),
    server_list: () => ({ items: [] }),
  });
  const model = createModel(host, new Link());
  await Promise.all([model.ui.load(), model.servers.refresh()]);
  render(<App model={model} />);
  const press = (repeat: boolean): boolean =>
    fireEvent.keyDown(document.body, { key: 'j', ctrlKey: true, repeat });
  const isOpen = model.ui.getState().dockOpen;
  press(false);
  expect(model.ui.getState().dockOpen).toBe(!isOpen);
  expect(press(true)).toBe(false);
  expect(model.ui.getState().dockOpen).toBe(!isOpen);
});
