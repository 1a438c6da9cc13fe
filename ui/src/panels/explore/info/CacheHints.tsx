import { useStore } from 'zustand';
import type { Freshness, ServerId } from '../../../contract/generated';
import type { ServerDetails } from '../../../model/connection/handshake';
import { freshnessTip, freshnessWords } from '../../../model/lists/freshness';
import { useModel } from '../../../model/workspace/context';
import { Fact, Facts } from '../../../widgets/facts/Facts';
import classes from './info.module.css';

interface CacheHintsProps {
  serverId: ServerId;
  /** As the response to `server/discover` says. */
  discover: ServerDetails;
  /** When that was received, in ms since the Unix epoch. */
  sinceAtMs: number;
  names: number;
}

/** How long what the server said may be reused (`ttlMs`, `cacheScope`; 2026-07-28). */
export function CacheHints({ serverId, discover, sinceAtMs, names }: CacheHintsProps) {
  const { tools, resources, resourceTemplates, prompts } = useModel();
  const ofTools = useStore(tools, (lists) => lists[serverId]?.freshness ?? null);
  const ofResources = useStore(resources, (lists) => lists[serverId]?.freshness ?? null);
  const ofTemplates = useStore(resourceTemplates, (lists) => lists[serverId]?.freshness ?? null);
  const ofPrompts = useStore(prompts, (lists) => lists[serverId]?.freshness ?? null);
  const { ttlMs, cacheScope } = discover;
  const hints: readonly [string, Freshness | null][] = [
    ['server/discover', ttlMs === null ? null : { ttlMs, scope: cacheScope, sinceAtMs }],
    ['tools/list', ofTools],
    ['resources/list', ofResources],
    ['resources/templates/list', ofTemplates],
    ['prompts/list', ofPrompts],
  ];
  const known = hints.flatMap(([name, freshness]) => (freshness === null ? [] : [{ name, freshness }]));
  return (
    <section className={classes.section} aria-label="Cache hints">
      <h3 className={classes.heading}>Cache hints</h3>
      {known.length === 0 ? (
        <p className={classes.dim}>The server has sent none so far.</p>
      ) : (
        <Facts names={names}>
          {known.map(({ name, freshness }) => (
            <Fact key={name} name={<span className="pb-mono">{name}</span>}>
              <span data-tip={freshnessTip(freshness)}>{freshnessWords(freshness)}</span>
            </Fact>
          ))}
        </Facts>
      )}
    </section>
  );
}
