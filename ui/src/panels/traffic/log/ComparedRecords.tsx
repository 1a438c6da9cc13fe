import { useEffect, useState } from 'react';
import { ComparedTexts } from '../../../content/ComparedTexts';
import { type ComparedRecord, comparedRecords } from '../../../model/traffic/export/comparedRecords';
import { useHost } from '../../../model/workspace/context';
import { type Loaded, showLoaded } from '../../../widgets/code/useBodyText';
import { Failed, Waiting } from '../../../widgets/status/Waiting';
import type { RecordEnds } from './CompareDialog';

/** What differs between the messages of two records. */
export function ComparedRecords({ from, range }: RecordEnds) {
  const host = useHost();
  const [loaded, setLoaded] = useState<Loaded<readonly [ComparedRecord, ComparedRecord]>>({
    state: 'loading',
  });
  useEffect(() => showLoaded(comparedRecords(host, from, range), setLoaded), [host, from, range]);
  if (loaded.state === 'loading') return <Waiting text="Comparing…" />;
  if (loaded.state === 'failed') return <Failed error={loaded.error} />;
  const [before, after] = loaded.value;
  return (
    <ComparedTexts
      before={before}
      after={after}
      language={before.isJson && after.isJson ? 'json' : 'plain'}
      titles={[before.title, after.title]}
    />
  );
}
