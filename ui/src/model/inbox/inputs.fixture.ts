import type { InputId, InputItem, Seq, ServerId, WithdrawnInput } from '../../contract/generated';

/** A request of a server for tests: an elicitation, unless said otherwise. */
export function input(id: string, part: Partial<InputItem> = {}): InputItem {
  return {
    id: id as InputId,
    serverId: 's' as ServerId,
    serverName: 'everything',
    kind: 'elicitation',
    method: 'elicitation/create',
    key: '1',
    paramsJson: '{"message":"Who are you?","requestedSchema":{"type":"object","properties":{}}}',
    aboutSeq: null,
    aboutExchange: null,
    during: [],
    seq: '14' as Seq,
    round: null,
    waitingSinceMs: 1_700_000_000_000,
    ...part,
  };
}

/** A withdrawn request for tests. */
export function withdrawn(id: string, part: Partial<WithdrawnInput> = {}): WithdrawnInput {
  return {
    id: id as InputId,
    serverId: 's' as ServerId,
    serverName: 'everything',
    kind: 'elicitation',
    method: 'elicitation/create',
    seq: '14' as Seq,
    aboutSeq: null,
    reason: 'The call was cancelled.',
    waitedMs: 1_500,
    atMs: 1,
    ...part,
  };
}
