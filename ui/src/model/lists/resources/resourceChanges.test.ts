import { describe, expect, it } from 'vitest';
import type { ResultView, Seq, ServerId } from '../../../contract/generated';
import { type Exchange, newExchange } from '../../exchange/exchange';
import type { ExchangesState } from '../../exchange/exchanges';
import { type ResourceRequest, resourceKey } from '../../exchange/request';
import { type Subscription, tellsAbout } from '../subscriptions/subscriptions';
import { changedUris, hasChangedSince, newestUpdates, refusalOf, subscriptionTo } from './resourceChanges';
import { templateValue } from './useExpansion';

const SERVER = 's' as ServerId;

function subscription(
  id: number,
  uri: string,
  seqs: string[],
  ended: Subscription['ended'] = null,
): Subscription {
  return {
    id,
    filter: {
      toolsListChanged: false,
      promptsListChanged: false,
      resourcesListChanged: false,
      resourceUris: [uri],
      taskIds: [],
    },
    openedAtMs: 0,
    exchangeId: null,
    seq: null,
    granted: null,
    acknowledgedSeq: null,
    refused: [],
    notifications: seqs.map((seq) => ({
      method: 'notifications/resources/updated',
      subject: uri,
      count: 1,
      seq: seq as Seq,
    })),
    ended,
  };
}

function reads(uri: string, requestSeq: string): ExchangesState {
  const read: Exchange<ResourceRequest> = {
    ...newExchange(1, SERVER, { type: 'resource', uri }, 0),
    requestSeq: requestSeq as Seq,
    outcome: {
      type: 'result',
      view: { type: 'resource', contents: [], violations: [] } as ResultView,
    } as Exchange['outcome'],
  };
  return { [resourceKey(SERVER, uri)]: { items: [read], shown: 1, compared: null } };
}

describe('a resource counts as changed', () => {
  it.each([
    ['9', '10', true],
    ['10', '9', false],
    ['10', '100', true],
  ])('read at %s, updated at %s: %s', (read, updated, isChanged) => {
    const updates = newestUpdates([subscription(1, 'a:b', ['2', updated])]);
    expect(changedUris(updates, reads('a:b', read), SERVER)).toEqual(isChanged ? ['a:b'] : []);
  });

  it('if it was updated and never read', () => {
    expect(changedUris(newestUpdates([subscription(1, 'a:b', ['2'])]), {}, SERVER)).toEqual(['a:b']);
  });
});

it('tells of each read whether the resource has changed since, if it returned contents', () => {
  const read = (requestSeq: string | null, change: Partial<Exchange> = {}): Exchange => ({
    ...reads('a:b', '1')[resourceKey(SERVER, 'a:b')]!.items[0]!,
    requestSeq: requestSeq as Seq | null,
    ...change,
  });
  expect(hasChangedSince(read('9'), '10' as Seq)).toBe(true);
  expect(hasChangedSince(read('11'), '10' as Seq)).toBe(false);
  expect(hasChangedSince(read('9'), undefined)).toBe(false);
  expect(hasChangedSince(read('9', { outcome: null }), '10' as Seq)).toBe(false);
});

it('takes the open subscription to a resource before those that ended', () => {
  const ended = { end: 'cancelled', reason: '', seq: null } as const;
  const all = [subscription(3, 'a:b', [], ended), subscription(2, 'a:b', []), subscription(1, 'a:c', [])];
  expect(subscriptionTo(all, 'a:b')?.id).toBe(2);
  expect(subscriptionTo(all, 'a:d')).toBeUndefined();
});

describe('a subscription to several resources', () => {
  const both = { ...subscription(1, 'a:b', []).filter, resourceUris: ['a:b', 'a:b:c'] };
  const refused = ['the resource a:b:c: unknown', 'the resource a:b: too many', 'the task 7'];
  const partly = { ...subscription(1, '', []), filter: both, refused };

  it('says of each whether the server grants it, and why not', () => {
    const all = [{ ...partly, granted: { ...both, resourceUris: ['a:b:c'] } }];
    expect(subscriptionTo(all, 'a:b')).toBe(all[0]);
    expect(refusalOf(all[0]!, 'a:b')).toBe('the resource a:b: too many');
    expect(refusalOf(all[0]!, 'a:b:c')).toBeNull();
    expect([tellsAbout(all[0]!, 'a:b'), tellsAbout(all[0]!, 'a:b:c')]).toEqual([false, true]);
  });

  it('counts as granted until the server answers', () => {
    expect([tellsAbout(partly, 'a:b'), refusalOf(partly, 'a:b')]).toEqual([true, null]);
  });

  it('gives way to one that is granted', () => {
    const other = { ...subscription(2, 'a:b', []), granted: subscription(2, 'a:b', []).filter };
    const all = [{ ...partly, granted: { ...both, resourceUris: [] } }, other];
    expect(subscriptionTo(all, 'a:b')?.id).toBe(2);
  });
});

it('reads values of variables as typed', () => {
  expect(templateValue('v', { kind: 'text', text: '' })).toEqual([]);
  expect(templateValue('v', { kind: 'text', text: 'a\nb' })).toEqual([
    { name: 'v', value: { type: 'text', text: 'a\nb' } },
  ]);
  expect(templateValue('v', { kind: 'list', text: 'a\n\nb' })).toEqual([
    { name: 'v', value: { type: 'list', items: ['a', 'b'] } },
  ]);
  expect(templateValue('v', { kind: 'pairs', text: 'a=1=2\nb' })).toEqual([
    {
      name: 'v',
      value: {
        type: 'pairs',
        pairs: [
          { name: 'a', value: '1=2' },
          { name: 'b', value: '' },
        ],
      },
    },
  ]);
});
