import { Button } from '@mantine/core';
import { IconShieldExclamation } from '@tabler/icons-react';
import { useStore } from 'zustand';
import type { ServerId } from '../../../../contract/generated';
import { NO_DEFINITIONS, changesInWords } from '../../../../model/tools/definitions';
import { useModel } from '../../../../model/workspace/context';
import { Steady } from '../../../../widgets/layout/Steady';
import classes from './definitions.module.css';

interface ChangedStripProps {
  serverId: ServerId;
  onReview: () => void;
}

/** How many tools changed since they were accepted, above their list. */
export function ChangedStrip({ serverId, onReview }: ChangedStripProps) {
  const { definitions } = useModel();
  const words = useStore(definitions, (all) => changesInWords(all[serverId] ?? NO_DEFINITIONS));
  return (
    <Steady>
      {words !== null && (
        <div className={classes.strip} data-tone="warn" role="status">
          <IconShieldExclamation size={14} aria-hidden />
          <span>{words}</span>
          <Button variant="default" size="compact-xs" onClick={onReview}>
            Review…
          </Button>
        </div>
      )}
    </Steady>
  );
}
