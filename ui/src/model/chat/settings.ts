import type { ChatSettings } from '../../contract/generated';

/**
 * The settings of a conversation while the user changes them. The engine takes all of them at once, so changes are sent one after
 * the other, each with those before it: two quick ones are both kept.
 */
export interface SettingsChanges {
  /** The engine reports its settings. Returns what to show. */
  received(settings: ChatSettings): ChatSettings;
  /** Changes some settings, which are shown at once. False if the engine refused: then its own are shown again. */
  set(change: Partial<ChatSettings>): Promise<boolean>;
  /** Resolves when the engine has answered all changes so far. Never rejects. */
  settled(): Promise<unknown>;
}

/** `send` gives the engine all settings, and returns whether it took them; `show` shows them. */
export function settingsChanges(
  send: (settings: ChatSettings) => Promise<boolean>,
  show: (settings: ChatSettings) => void,
): SettingsChanges {
  /** What the engine has, as far as is known. */
  let kept: ChatSettings | undefined;
  /** The changes it has not taken yet, oldest first. */
  let waiting: readonly Partial<ChatSettings>[] = [];
  let last: Promise<unknown> = Promise.resolve();

  async function sendFirst(): Promise<boolean> {
    const change = waiting[0];
    if (kept === undefined || change === undefined) return false;
    const isTaken = await send({ ...kept, ...change });
    waiting = waiting.slice(1);
    if (isTaken) kept = { ...kept, ...change };
    else show(shown(kept, waiting));
    return isTaken;
  }

  return {
    received(settings: ChatSettings): ChatSettings {
      kept = settings;
      return shown(settings, waiting);
    },
    async set(change: Partial<ChatSettings>): Promise<boolean> {
      if (kept === undefined) return false;
      waiting = [...waiting, change];
      show(shown(kept, waiting));
      const sent = last.then(sendFirst);
      last = sent;
      return sent;
    },
    settled: () => last,
  };
}

function shown(settings: ChatSettings, changes: readonly Partial<ChatSettings>[]): ChatSettings {
  return Object.assign({}, settings, ...changes) as ChatSettings;
}
