import { act, render, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { Link } from '../../host/link';
import { ScriptedHost } from '../../host/scripted';
import { createModel } from '../../model/workspace/context';
import { App } from '../App';

it('a link opens the dialog for review, the next one after it is closed, and nothing is added', async () => {
  let links = ['patchbay://add?command=one', 'patchbay://add?command=two'];
  const host = new ScriptedHost({
    ui_state_get: () => ({ stateJson: null }),
    ui_state_set: () => ({}),
    server_list: () => ({ items: [] }),
    deep_link_take: () => {
      const taken = links;
      links = [];
      return { links: taken };
    },
    server_parse: ({ text }) => ({ drafts: [], problems: [`read ${text}`], secrets: [] }),
  });
  const model = createModel(host, new Link());
  await Promise.all([model.ui.load(), model.servers.refresh()]);
  render(<App model={model} />);
  const dialogs = (): unknown => model.workspace.getState().dialog;
  const first = { type: 'addServer', pasted: 'patchbay://add?command=one' };
  await waitFor(() => expect(dialogs()).toEqual(first));
  expect(await screen.findByText(/read patchbay:\/\/add\?command=one/)).toBeTruthy();
  act(() => model.workspace.setState({ dialog: null }));
  await waitFor(() => expect(dialogs()).toEqual({ type: 'addServer', pasted: 'patchbay://add?command=two' }));
  act(() => model.workspace.setState({ dialog: null }));
  await waitFor(() => expect(model.deepLinks.getState().waiting).toEqual([]));
  expect(host.calls.some(({ name }) => name === 'server_add' || name === 'connection_open')).toBe(false);
});
