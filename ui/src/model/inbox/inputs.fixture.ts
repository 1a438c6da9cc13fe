import type {
  AnsweredInput,
  InputId,
  InputItem,
  Seq,
  ServerId,
  WithdrawnInput,
} from '../../contract/generated';
import { ScriptedHost } from '../../host/scripted';
import { row } from '../traffic/trafficRows.fixture';
import { createModel } from '../workspace/context';

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

const ANSWERED: AnsweredInput = {
  serverId: 's' as ServerId,
  serverName: 'everything',
  kind: 'roots',
  seq: '7' as Seq,
  aboutSeq: null,
  outcome: 'accepted',
  rule: 'no roots (server settings)',
  atMs: 1,
};

/** A model with these requests, and the answers that are sent. Every record is a call of `ask_name`. */
export function modelOf(
  queue: { items: InputItem[]; withdrawn: WithdrawnInput[] },
  answers: ConstructorParameters<typeof ScriptedHost>[0],
  more: object,
) {
  const host = new ScriptedHost({
    ui_state_get: () => ({ stateJson: null }),
    input_list: () => ({ answered: [ANSWERED], ...structuredClone(queue) }),
    input_answer: () => ({}),
    traffic_record: ({ seq }) => ({
      row: row(Number(seq), { kind: 'request', method: 'tools/call', summary: 'ask_name' }),
      raw: { inline: '', body: host.setBody('r', ''), size: 0, pretty: null },
      bytes: host.setBody('r', ''),
      isUtf8: true,
      redactions: 0,
      violations: [],
      pair: null,
      related: [],
      http: null,
    }),
    link_open: () => ({}),
    ...answers,
  });
  Object.assign(host, more);
  const model = createModel(host);
  const sent = (): unknown[] =>
    host.calls.filter(({ name }) => name === 'input_answer').map(({ params }) => params);
  return { host, model, sent };
}
