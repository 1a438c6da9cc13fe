import { expect, it, vi } from 'vitest';
import type { ChatSettings } from '../../contract/generated';
import { settingsChanges } from './settings';

function of(change: Partial<ChatSettings>): ChatSettings {
  return { systemPrompt: '', maxTokens: 1, maxRounds: 1, ...change } as unknown as ChatSettings;
}

/** An engine that answers each time it is told to, and what is shown. */
function engine() {
  const sent: ChatSettings[] = [];
  const answers: ((isTaken: boolean) => void)[] = [];
  const shown: { settings: ChatSettings | undefined } = { settings: undefined };
  const changes = settingsChanges(
    (settings) => {
      sent.push(settings);
      return new Promise((resolve) => answers.push(resolve));
    },
    (settings) => {
      shown.settings = settings;
    },
  );
  /** Answers the oldest command when it has come. */
  const answer = async (isTaken: boolean) => {
    await vi.waitFor(() => expect(answers).toHaveLength(1));
    answers.shift()!(isTaken);
  };
  return { changes, sent, shown, answer };
}

it('keeps two quick changes, and shows both at once', async () => {
  const { changes, sent, shown, answer } = engine();
  changes.received(of({}));
  const first = changes.set({ maxTokens: 2 });
  const second = changes.set({ maxRounds: 3 });
  expect(shown.settings).toEqual(of({ maxTokens: 2, maxRounds: 3 }));
  await answer(true);
  // The state after the first does not take back the second, and the second contains the first before that state comes.
  expect(await first).toBe(true);
  expect(changes.received(of({ maxTokens: 2 }))).toEqual(of({ maxTokens: 2, maxRounds: 3 }));
  await answer(true);
  expect(await second).toBe(true);
  expect(sent).toEqual([of({ maxTokens: 2 }), of({ maxTokens: 2, maxRounds: 3 })]);
});

it('takes back what the engine refuses, and nothing else', async () => {
  const { changes, sent, shown, answer } = engine();
  changes.received(of({}));
  const refused = changes.set({ maxTokens: 0 });
  const taken = changes.set({ maxRounds: 3 });
  await answer(false);
  expect(await refused).toBe(false);
  expect(shown.settings).toEqual(of({ maxRounds: 3 }));
  await answer(true);
  expect(await taken).toBe(true);
  expect(sent.at(-1)).toEqual(of({ maxRounds: 3 }));
});

it('does not overwrite what the engine itself changed meanwhile', async () => {
  const { changes, sent, answer } = engine();
  changes.received(of({}));
  const first = changes.set({ maxTokens: 2 });
  changes.received(of({ systemPrompt: 'masked' }));
  const second = changes.set({ maxRounds: 3 });
  await answer(true);
  await first;
  await answer(true);
  await second;
  expect(sent.at(-1)).toEqual(of({ systemPrompt: 'masked', maxTokens: 2, maxRounds: 3 }));
});

it('changes nothing before the settings have come', async () => {
  const { changes, sent } = engine();
  expect(await changes.set({ maxTokens: 2 })).toBe(false);
  expect(sent).toEqual([]);
});

it('is settled when the engine has answered every change, also one that it refused', async () => {
  const { changes, answer } = engine();
  changes.received(of({}));
  void changes.set({ maxTokens: 0 });
  void changes.set({ maxRounds: 3 });
  let isSettled = false;
  const settled = changes.settled().then(() => {
    isSettled = true;
  });
  await answer(false);
  expect(isSettled).toBe(false);
  await answer(true);
  await settled;
  expect(isSettled).toBe(true);
});
