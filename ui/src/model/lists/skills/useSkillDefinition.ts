import { useEffect, useState } from 'react';
import type { Seq, ServerId, SkillItem } from '../../../contract/generated';
import { commandError } from '../../store/errors';
import { textOf } from '../../text/textOf';
import { useHost } from '../../workspace/context';
import { usePulled } from '../usePulled';
import { type SkillDefinition, readDefinition } from './skill';

/** The definition of a skill in full, and the record it is in. */
export type LoadedDefinition =
  | { state: 'loading' }
  /** It is known from resources only. */
  | { state: 'none' }
  | { state: 'ready'; definition: SkillDefinition; seq: Seq }
  | { state: 'failed'; message: string };

export function useSkillDefinition(serverId: ServerId, skill: SkillItem): LoadedDefinition {
  const host = useHost();
  const { rows, loading } = usePulled(serverId, 'skills');
  const [loaded, setLoaded] = useState<{ skill: SkillItem; result: LoadedDefinition } | null>(null);
  useEffect(() => {
    if (skill.index < 0) return undefined;
    let isWanted = true;
    const load = async (): Promise<LoadedDefinition> => {
      const got = await host.call('list_item_get', { serverId, list: 'skills', index: skill.index });
      const definition = readDefinition(await textOf(host, got.definition));
      return { state: 'ready', definition, seq: got.seq };
    };
    load()
      .catch((thrown: unknown): LoadedDefinition => ({
        state: 'failed',
        message: commandError(thrown).message,
      }))
      .then((result) => {
        if (isWanted) setLoaded({ skill, result });
      })
      .catch(() => undefined);
    return () => {
      isWanted = false;
    };
    // Of another connection, it is another definition.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [host, serverId, skill, rows]);
  if (skill.index < 0) return { state: 'none' };
  if (loaded?.skill !== skill || (loading && loaded.result.state === 'failed')) return { state: 'loading' };
  return loaded.result;
}
