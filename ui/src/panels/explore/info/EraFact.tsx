import { Button } from '@mantine/core';
import type { EraVerdict, ServerId } from '../../../contract/generated';
import { useActions } from '../../../model/workspace/actions';
import { useServerPart } from '../../../model/workspace/context';
import { RecordLink } from '../../../widgets/links/RecordLink';
import classes from './info.module.css';

/** How the era was detected, and a button to forget it. */
export function EraFact({ serverId, verdict }: { serverId: ServerId; verdict: EraVerdict | null }) {
  const actions = useActions();
  const isRemembered = useServerPart(serverId, (server) => (server?.rememberedEra ?? null) !== null);
  return (
    <>
      {verdict !== null && (
        <>
          {verdict.reason}
          {verdict.probeSeq !== null && <RecordLink seq={verdict.probeSeq} label="Probe" />}
        </>
      )}
      {isRemembered && (
        <span className={classes.remembered}>
          <span className={classes.dim}>
            {verdict?.remembered === true
              ? 'Remembered from an earlier connection, without a probe.'
              : 'Remembered: the next connection skips the probe.'}
          </span>
          <Button
            variant="default"
            size="compact-xs"
            data-tip="Probes again on the next connection"
            onClick={() => void actions.forgetEra(serverId)}
          >
            Forget detected era
          </Button>
        </span>
      )}
    </>
  );
}
