import { describe, expect, it } from 'vitest';
import type { Seq, ServerId, SubscriptionFilter } from '../../../contract/generated';
import { ScriptedHost } from '../../../host/scripted';
import { createSubscriptions, filterInWords, isAlone, subscriptionWord } from './subscriptions';

const SERVER = 's' as ServerId;
const filter: SubscriptionFilter = {
  toolsListChanged: true,
  promptsListChanged: true,
  resourcesListChanged: false,
  resourceUris: ['file:///a'],
  taskIds: [],
};

function open() {
  const host = new ScriptedHost();
  const subscriptions = createSubscriptions(host, () => 1000);
  subscriptions.open(SERVER, filter);
  return { host, subscriptions, newest: () => subscriptions.getState()[SERVER]![0]! };
}

describe('createSubscriptions', () => {
  it('follows one from asking over what is granted to what is told, counted', () => {
    const { host, newest } = open();
    const stream = host.stream('subscription_open');
    expect(stream.params).toEqual({ serverId: SERVER, filter });
    expect(subscriptionWord(newest())).toBe('Opening');
    stream.emit({ type: 'opened', exchangeId: null, seq: '1' as Seq });
    const granted = { ...filter, promptsListChanged: false };
    const refused = ['changes of the list of prompts'];
    stream.emit({ type: 'acknowledged', granted, refused, seq: '2' as Seq });
    expect(subscriptionWord(newest())).toBe('Open');
    const told = { method: 'notifications/resources/updated', subject: 'file:///a' };
    stream.emit({ type: 'notified', ...told, count: 3, seq: '5' as Seq });
    stream.emit({ type: 'notified', ...told, count: 2, seq: '9' as Seq });
    stream.emit({ type: 'notified', ...told, subject: 'file:///b', count: 1, seq: '10' as Seq });
    expect(newest()).toMatchObject({
      seq: '1',
      granted,
      refused,
      notifications: [
        { subject: 'file:///a', count: 5, seq: '9' },
        { subject: 'file:///b', count: 1, seq: '10' },
      ],
    });
  });

  it('leaves a resource without ending what the subscription is for besides', () => {
    const { host, subscriptions, newest } = open();
    subscriptions.leave(SERVER, newest().id, 'file:///a');
    const rest = { ...filter, resourceUris: [] };
    expect(host.stream('subscription_open').params).toEqual({ serverId: SERVER, filter: rest });
    expect(subscriptions.getState()[SERVER]!.map(({ filter: of, ended }) => [of, ended?.end])).toEqual([
      [rest, undefined],
      [filter, 'cancelled'],
    ]);
  });

  it('leaves a resource by ending a subscription to it alone', () => {
    const { subscriptions } = open();
    const alone = { ...filter, toolsListChanged: false, promptsListChanged: false };
    subscriptions.open(SERVER, alone);
    const [newest] = subscriptions.getState()[SERVER]!;
    expect([isAlone(newest!, 'file:///a'), isAlone(newest!, 'file:///b')]).toEqual([true, false]);
    subscriptions.leave(SERVER, newest!.id, 'file:///a');
    expect(subscriptions.getState()[SERVER]!.map(({ ended }) => ended?.end)).toEqual([
      'cancelled',
      undefined,
    ]);
  });

  it.each([
    ['graceful', 'Ended by the server'],
    ['abrupt', 'Interrupted'],
    ['refused', 'Rejected'],
    ['cancelled', 'Ended by you'],
  ] as const)('tells an end that is %s apart', (end, word) => {
    const { host, newest } = open();
    const stream = host.stream('subscription_open');
    stream.emit({ type: 'ended', end, reason: 'Because.', seq: null });
    stream.end();
    expect(newest().ended).toEqual({ end, reason: 'Because.', seq: null });
    expect(subscriptionWord(newest())).toBe(word);
  });

  it('says so when the engine refuses it, or is lost', () => {
    const { host, newest } = open();
    host.stream('subscription_open').end({ code: 'notConnected', message: 'Not connected.', detail: null });
    expect(newest().ended).toMatchObject({ end: 'refused', reason: 'Not connected.' });
  });

  it('says that one which was granted was interrupted, whatever the engine says', () => {
    const { host, newest } = open();
    const stream = host.stream('subscription_open');
    stream.emit({ type: 'acknowledged', granted: filter, refused: [], seq: '2' as Seq });
    stream.end({ code: 'internal', message: 'Lost.', detail: null });
    expect(newest().ended).toMatchObject({ end: 'abrupt', reason: 'Lost.' });
  });

  it('ends one by closing its stream, and forgets only what ended', () => {
    const { host, subscriptions, newest } = open();
    subscriptions.open(SERVER, filter);
    subscriptions.close(SERVER, newest().id);
    expect(host.streams('subscription_open').map(({ closed }) => closed)).toEqual([false, true]);
    subscriptions.forgetEnded(SERVER);
    expect(subscriptions.getState()[SERVER]?.map(({ ended }) => ended)).toEqual([null]);
  });
});

it('says a filter in words', () => {
  expect(filterInWords(filter)).toBe('tool list, prompt list, file:///a');
  const nothing = { ...filter, toolsListChanged: false, promptsListChanged: false, resourceUris: [] };
  expect(filterInWords(nothing)).toBe('nothing');
});
