import { useEffect, useState } from 'react';
import { DiffView } from '../../../content/DiffView';
import type { ContentItem } from '../../../contract/generated';
import type { Exchange } from '../../../model/exchange/exchange';
import { commandError } from '../../../model/store/errors';
import { formatSize } from '../../../model/text/format';
import { sizeOf, textOfAll } from '../../../model/lists/resources/contentsText';
import { useHost } from '../../../model/workspace/context';
import { Failed, Waiting } from '../../../widgets/code/CodeView';
import type { Loaded } from '../../../widgets/code/useBodyText';
import classes from './resources.module.css';

/** Larger contents are not compared, which would block the window. */
const MAX_COMPARED = 2_000_000;

/** The difference between what two reads of a resource brought. */
export function ReadDifference({ before, after }: { before: Exchange; after: Exchange }) {
  const host = useHost();
  const old = contentsOf(before);
  const fresh = contentsOf(after);
  const size = [...old, ...fresh].reduce((sum, item) => sum + sizeOf(item), 0);
  const isTooLarge = size > MAX_COMPARED;
  const [loaded, setLoaded] = useState<Loaded<{ before: string; after: string }>>({ state: 'loading' });
  useEffect(() => {
    if (isTooLarge) return undefined;
    let wanted = true;
    Promise.all([textOfAll(host, contentsOf(before)), textOfAll(host, contentsOf(after))]).then(
      ([one, other]) => wanted && setLoaded({ state: 'ready', value: { before: one, after: other } }),
      (thrown: unknown) => wanted && setLoaded({ state: 'failed', error: commandError(thrown) }),
    );
    return () => {
      wanted = false;
    };
  }, [host, before, after, isTooLarge]);
  if (isTooLarge) {
    return (
      <p className={`${classes.warn} ${classes.strip}`}>
        {formatSize(size)} are too much to compare; the most is {formatSize(MAX_COMPARED)}.
      </p>
    );
  }
  if (loaded.state === 'loading') return <Waiting text="Comparing …" />;
  if (loaded.state === 'failed') return <Failed error={loaded.error} />;
  return <DiffView {...loaded.value} />;
}

function contentsOf({ outcome }: Exchange): ContentItem[] {
  return outcome?.type === 'result' && outcome.view.type === 'resource' ? outcome.view.contents : [];
}
