import { useCallback, useEffect, useRef, useState } from 'react';
import type {
  CommandError,
  EnvironmentGetResponse,
  EnvironmentReadResponse,
  EnvironmentSettings,
} from '../../../contract/generated';
import { commandError } from '../../../model/store/errors';
import { useHost } from '../../../model/workspace/context';

export type LoadedEnvironment = EnvironmentGetResponse;

/** Whether two settings mean the same. Empty rows do not count. */
export function isSame(one: EnvironmentSettings, other: EnvironmentSettings): boolean {
  return JSON.stringify(asStored(one)) === JSON.stringify(asStored(other));
}

export const DEFAULTS: EnvironmentSettings = {
  shell: 'automatic',
  program: '',
  pathBefore: [],
  pathAfter: [],
};

export function isDefault(settings: EnvironmentSettings): boolean {
  return isSame(settings, DEFAULTS);
}

function asStored({ shell, program, pathBefore, pathAfter }: EnvironmentSettings): unknown[] {
  const folders = (typed: readonly string[]) => typed.map((folder) => folder.trim()).filter(Boolean);
  return [shell, program.trim(), folders(pathBefore), folders(pathAfter)];
}

/** The settings of the environment, what programs are started with, and changing both. */
export function useEnvironment() {
  const host = useHost();
  const [loaded, setLoaded] = useState<LoadedEnvironment | null>(null);
  const [read, setRead] = useState<EnvironmentReadResponse | null>(null);
  const [error, setError] = useState<CommandError | null>(null);
  const [busy, setBusy] = useState<'saving' | 'reading' | null>(null);
  /** What is done last is shown, whatever ends last: a shell may be slow. */
  const latest = useRef(0);

  /** Runs the steps of a change until another one begins. True: they went through. */
  const run = useCallback(async (steps: (isLatest: () => boolean) => Promise<void>): Promise<boolean> => {
    latest.current += 1;
    const own = latest.current;
    const isLatest = (): boolean => latest.current === own;
    setError(null);
    try {
      await steps(isLatest);
      return true;
    } catch (thrown) {
      if (isLatest()) setError(commandError(thrown));
      return false;
    } finally {
      if (isLatest()) setBusy(null);
    }
  }, []);

  const readNow = useCallback(
    async (again: boolean, isLatest: () => boolean): Promise<void> => {
      const response = await host.call('environment_read', { again });
      if (isLatest()) setRead(response);
    },
    [host],
  );

  useEffect(() => {
    void run(async (isLatest) => {
      const response = await host.call('environment_get', {});
      if (!isLatest()) return;
      setLoaded(response);
      setBusy('reading');
      await readNow(false, isLatest);
    });
    return () => {
      latest.current += 1;
    };
  }, [host, run, readNow]);

  /** Returns what was stored; null if it was not. */
  async function save(settings: EnvironmentSettings): Promise<EnvironmentSettings | null> {
    let stored: EnvironmentSettings | null = null;
    let isNewest = false;
    setBusy('saving');
    await run(async (isLatest) => {
      await host.call('environment_set', { settings });
      const response = await host.call('environment_get', {});
      stored = response.settings;
      isNewest = isLatest();
      if (isNewest) setLoaded(response);
    });
    // A shell may be slow: what is typed meanwhile is not saved yet.
    if (isNewest) {
      setBusy('reading');
      void run((isLatest) => readNow(false, isLatest));
    }
    return stored;
  }

  const readAgain = (): void => {
    setBusy('reading');
    void run((isLatest) => readNow(true, isLatest));
  };

  /** Without running the shell again, and without a sign of it. */
  const refresh = (): void => void run((isLatest) => readNow(false, isLatest));

  return { loaded, read, error, busy, save, readAgain, refresh, dismiss: () => setError(null) };
}
