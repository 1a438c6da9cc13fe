import { Modal } from '@mantine/core';
import { Suspense } from 'react';
import type { Copied } from '../../../model/traffic/export/readRecords';
import type { RowRange } from '../../../model/traffic/useRowRange';
import { PartBoundary } from '../../../widgets/failure/PartBoundary';
import { lazyPart } from '../../../widgets/failure/lazyPart';
import classes from './CompareDialog.module.css';

// Includes the editor that draws differences.
const ComparedRecords = lazyPart(async () => (await import('./ComparedRecords')).ComparedRecords);

/** Two records: the ends of a range of a log. */
export interface RecordEnds {
  from: Copied;
  range: RowRange;
}

/** The difference between the messages of two records; closed without them. */
export function CompareDialog({ ends, onClose }: { ends: RecordEnds | null; onClose: () => void }) {
  return (
    <Modal opened={ends !== null} onClose={onClose} title="Compare records" size="min(1100px, 94vw)">
      <div className={classes.body}>
        <PartBoundary resetKey="">
          <Suspense>{ends !== null && <ComparedRecords {...ends} />}</Suspense>
        </PartBoundary>
      </div>
    </Modal>
  );
}
