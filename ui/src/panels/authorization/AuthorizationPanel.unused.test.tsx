import { MantineProvider } from '@mantine/core';
import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import type { AuthorizationGetResponse, ServerDraft } from '../../contract/generated';
import { ScriptedHost } from '../../host/scripted';
import { authorization, run, step, token } from '../../model/authorization/authorization.fixture';
import { ModelProvider, createModel } from '../../model/workspace/context';
import { emptyHttpForm, httpDraftOf } from '../../model/servers/httpForm';
import { connection, server } from '../../model/servers/servers.fixture';
import { AuthorizationPanel } from './AuthorizationPanel';

const ADDRESS = { ...emptyHttpForm(), url: 'https://mcp.example/mcp' };
const OFF: Partial<ServerDraft> = { transport: httpDraftOf(ADDRESS), authorization: { mode: 'off' } };
const OWN_HEADER: Partial<ServerDraft> = {
  transport: httpDraftOf({
    ...ADDRESS,
    headers: [{ name: 'authorization', value: 'Bearer own', isSecret: true }],
  }),
};

/** The panel of a server with these settings. */
async function open(known: AuthorizationGetResponse, part: Partial<ServerDraft>) {
  const plain = server('s', connection({ state: 'ready' }));
  const item = { ...plain, draft: { ...plain.draft, ...part } };
  const host = new ScriptedHost({
    server_list: () => ({ items: [item] }),
    authorization_get: () => known,
    authorization_forget: () => ({}),
  });
  const model = createModel(host);
  await model.servers.refresh();
  render(
    <MantineProvider env="test">
      <ModelProvider model={model}>
        <AuthorizationPanel serverId={item.id} lead={<span>lead</span>} />
      </ModelProvider>
    </MantineProvider>,
  );
  await waitFor(() => expect(screen.queryByText('Loading…')).toBeNull());
  return host;
}

it.each([
  ['authorization is off', OFF],
  ['a header is sent instead', OWN_HEADER],
])('forgets a token that is not used, and requests none: %s', async (_, part) => {
  const host = await open(authorization({ token: token() }), part);
  expect((await screen.findByTestId('authorization-status')).textContent).toBe('Token not used');
  const card = screen.getByRole('region', { name: 'Access token' });
  expect(card.textContent).toContain('Stored, but not used.');
  for (const name of ['Refresh now', 'Expire now', 'Request']) {
    expect(screen.getByRole<HTMLButtonElement>('button', { name }).disabled).toBe(true);
  }
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Forget…' }));
  await user.click(await screen.findByRole('button', { name: 'Revoke and forget' }));
  const forgotten = { name: 'authorization_forget', params: { serverId: 's' } };
  await waitFor(() => expect(host.calls).toContainEqual(expect.objectContaining(forgotten)));
});

it('repeats no step of a run while authorization is off', async () => {
  const failed = run([step('challenge', { state: 'failed' })], { state: 'failed' });
  await open(authorization({ run: failed }), OFF);
  const retry = await screen.findByRole<HTMLButtonElement>('button', { name: 'Retry from here' });
  expect(retry.disabled).toBe(true);
  expect(retry.dataset['tip']).toContain('Authorization is off');
});
