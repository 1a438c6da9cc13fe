import { expect, it } from 'vitest';
import type { CompletionCompleteParams, ConnectionId, ServerId } from '../../contract/generated';
import { CommandFailure } from '../../host/host';
import { ScriptedHost } from '../../host/scripted';
import { createCompletions } from './completions';

const params = (value: string): CompletionCompleteParams => ({
  serverId: 's' as ServerId,
  reference: { type: 'resource', uri: 'x://{a}' },
  argument: { name: 'a', value },
  context: [],
});
const FIRST = '1' as ConnectionId;
const wanted = new AbortController().signal;
const answer = { values: ['a'], total: null, hasMore: false, seq: null };

it('asks for the same values once per connection', async () => {
  const host = new ScriptedHost({ completion_complete: () => answer });
  const completions = createCompletions(host);
  await completions.complete(FIRST, params(''), wanted);
  expect(await completions.complete(FIRST, params(''), wanted)).toEqual(answer);
  expect(host.calls).toHaveLength(1);
  await completions.complete(FIRST, params('b'), wanted);
  await completions.complete('2' as ConnectionId, params(''), wanted);
  expect(host.calls).toHaveLength(3);
});

it('asks again after a failure', async () => {
  let fails = true;
  const failure = new CommandFailure({ code: 'serverError', message: 'No.', detail: null });
  const host = new ScriptedHost({ completion_complete: () => (fails ? failure : answer) });
  const completions = createCompletions(host);
  await expect(completions.complete(FIRST, params(''), wanted)).rejects.toBe(failure);
  fails = false;
  expect(await completions.complete(FIRST, params(''), wanted)).toEqual(answer);
});
