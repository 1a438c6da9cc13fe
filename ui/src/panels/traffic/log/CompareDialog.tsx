import { Modal } from '@mantine/core';
import { useEffect, useState } from 'react';
import { DiffView } from '../../../content/DiffView';
import { MAX_COMPARED } from '../../../model/exchange/comparison';
import { commandError } from '../../../model/store/errors';
import { formatSize } from '../../../model/text/format';
import { type ComparedRecord, comparedRecords } from '../../../model/traffic/export/comparedRecords';
import type { Copied } from '../../../model/traffic/export/readRecords';
import type { RowRange } from '../../../model/traffic/useRowRange';
import { useHost } from '../../../model/workspace/context';
import type { Loaded } from '../../../widgets/code/useBodyText';
import { Failed, Waiting } from '../../../widgets/status/Waiting';
import classes from './CompareDialog.module.css';

interface CompareDialogProps {
  from: Copied;
  range: RowRange;
  onClose: () => void;
}

/** The difference between the messages of two records. */
export function CompareDialog({ from, range, onClose }: CompareDialogProps) {
  const host = useHost();
  // What was selected when it was opened: the log goes on.
  const [what] = useState({ from, range });
  const [loaded, setLoaded] = useState<Loaded<readonly [ComparedRecord, ComparedRecord]>>({
    state: 'loading',
  });
  useEffect(() => {
    let wanted = true;
    comparedRecords(host, what.from, what.range).then(
      (value) => wanted && setLoaded({ state: 'ready', value }),
      (thrown: unknown) => wanted && setLoaded({ state: 'failed', error: commandError(thrown) }),
    );
    return () => {
      wanted = false;
    };
  }, [host, what]);
  return (
    <Modal opened onClose={onClose} title="Compare records" size="min(1100px, 94vw)">
      <div className={classes.body}>
        {loaded.state === 'loading' && <Waiting text="Comparing…" />}
        {loaded.state === 'failed' && <Failed error={loaded.error} />}
        {loaded.state === 'ready' && <Difference sides={loaded.value} />}
      </div>
    </Modal>
  );
}

function Difference({ sides: [before, after] }: { sides: readonly [ComparedRecord, ComparedRecord] }) {
  return (
    <>
      {(before.isCut || after.isCut) && (
        <p className={classes.note} role="note">
          Too large to compare as a whole: only the first {formatSize(MAX_COMPARED)} of each message.
        </p>
      )}
      <div className={classes.difference}>
        <DiffView
          before={before.text}
          after={after.text}
          language={before.isJson && after.isJson ? 'json' : 'plain'}
          titles={[before.title, after.title]}
        />
      </div>
    </>
  );
}
