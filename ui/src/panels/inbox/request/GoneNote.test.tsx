import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { AnsweredInput, InputItem, Seq, ServerId, WithdrawnInput } from '../../../contract/generated';
import { input, withdrawn } from '../../../model/inbox/inputs.fixture';
import { openInbox } from '../inbox.fixture';

const ASKING = input('1', {
  seq: '30' as Seq,
  paramsJson:
    '{"message":"Who?","requestedSchema":{"type":"object","properties":{"name":{"type":"string","default":"Ada"}}}}',
});

/** An answer to a request of the same record. */
function answered(part: Partial<AnsweredInput>): AnsweredInput {
  const { serverId, serverName, kind, seq, aboutSeq } = ASKING;
  return { serverId, serverName, kind, seq, aboutSeq, outcome: 'accepted', rule: null, atMs: 1, ...part };
}

/** The dialog of a request with a draft, which then ends. */
async function open() {
  const queue: { items: InputItem[]; withdrawn: WithdrawnInput[]; answered: AnsweredInput[] } = {
    items: [ASKING],
    withdrawn: [],
    answered: [answered({ seq: '7' as Seq, rule: 'other request' })],
  };
  const { host, model } = await openInbox(queue, true);
  act(() => model.inputs.keepDraft(ASKING.id, '{"action":"accept","content":{"name":"Grace"}}'));
  let revision = 1;
  const end = async (part: Partial<typeof queue>): Promise<void> => {
    Object.assign(queue, { items: [] }, part);
    revision += 1;
    act(() => host.stream('app_watch').emit({ topic: 'inputs', serverId: null, revision }));
    await waitFor(() => expect(model.inputs.getState().answered).toEqual(queue.answered));
    await waitFor(() => expect(model.inputs.getState().items).toEqual([]));
  };
  return { model, end };
}

const note = (): string => screen.getByRole('alert').textContent;
const field = (): HTMLInputElement => screen.getByRole('textbox', { name: 'name' });

describe('a request that was answered while its dialog is open', () => {
  it('keeps what was written, and says who answered', async () => {
    const { model, end } = await open();
    await end({ answered: [answered({ rule: 'simulator, Accept with defaults' })] });
    expect(note()).toContain(
      'Answered. It was answered by the simulator (Accept with defaults). It can no longer be answered.',
    );
    expect(field().value).toBe('Grace');
    expect(screen.getByRole('button', { name: 'Copy draft' })).toBeDefined();
    // Also after the list was pulled again.
    await end({ answered: [] });
    await act(() => model.inputs.refresh());
    expect([field().value, note()]).toEqual(['Grace', expect.stringContaining('by the simulator')]);
  });

  it.each<[string, AnsweredInput[]]>([
    ['Answered. It was declined by you elsewhere.', [answered({ outcome: 'declined' })]],
    ['Answered. It was rejected by rule: ask less.', [answered({ outcome: 'refused', rule: 'ask less' })]],
    // Two requests of one record, which were not answered by the same.
    ['Answered. It was answered elsewhere.', [answered({}), answered({ rule: 'a rule' })]],
    ['No longer pending. It can', [answered({ serverId: 'o' as ServerId }), answered({ kind: 'roots' })]],
  ])('says “%s”', async (words, list) => {
    const { end } = await open();
    await end({ answered: list });
    expect(note()).toContain(words);
  });
});

it('a withdrawn request keeps its reason and its draft when the withdrawn ones are cleared', async () => {
  const { model, end } = await open();
  await end({ withdrawn: [withdrawn('1', { reason: 'The call was cancelled.', atMs: Date.now() })] });
  expect(note()).toContain('Withdrawn. The call was cancelled.');
  fireEvent.click(screen.getByRole('button', { name: 'Clear withdrawn requests' }));
  await act(() => model.inputs.refresh());
  expect(model.inputs.getState().withdrawn).toEqual([]);
  expect([note(), field().value]).toEqual([
    expect.stringContaining('Withdrawn. The call was cancelled.'),
    'Grace',
  ]);
  expect(screen.getByRole('button', { name: 'Copy draft' })).toBeDefined();
});
