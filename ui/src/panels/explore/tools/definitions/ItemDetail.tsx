import { useEffect, useState } from 'react';
import type { ChangedItem, ServerChangeDiffResponse, ServerId } from '../../../../contract/generated';
import { LISTS } from '../../../../model/connection/serverChanges';
import { commandError } from '../../../../model/store/errors';
import { useHost } from '../../../../model/workspace/context';
import { CodeText } from '../../../../widgets/code/CodeView';
import type { Loaded } from '../../../../widgets/code/useBodyText';
import { Failed, Waiting } from '../../../../widgets/status/Waiting';
import review from './definitions.module.css';
import { TextChange } from './TextChange';

interface ItemDetailProps {
  serverId: ServerId;
  item: ChangedItem;
}

/** How one listed item changed. Mounted again for another item. */
export function ItemDetail({ serverId, item }: ItemDetailProps) {
  const host = useHost();
  const [loaded, setLoaded] = useState<Loaded<ServerChangeDiffResponse>>({ state: 'loading' });
  const { list, id } = item;
  useEffect(() => {
    let wanted = true;
    const done = (result: Loaded<ServerChangeDiffResponse>): void => {
      if (wanted) setLoaded(result);
    };
    host.call('server_change_diff', { serverId, list, id }).then(
      (value) => done({ state: 'ready', value }),
      (thrown: unknown) => done({ state: 'failed', error: commandError(thrown) }),
    );
    return () => {
      wanted = false;
    };
  }, [host, serverId, list, id]);
  if (loaded.state === 'loading') return <Waiting text="Comparing…" />;
  if (loaded.state === 'failed') return <Failed error={loaded.error} />;
  const { before, after, changes, more, notKept } = loaded.value;
  return (
    <section className={review.detail} aria-label="Change">
      <header className={review.detailHead}>
        <h3>{id}</h3>
      </header>
      <p className={review.note}>{explanation(item)}</p>
      {notKept && (
        <p className={review.note}>
          The list is too large to be kept whole: it is known that this differs, but not how.
        </p>
      )}
      {changes.length > 0 && (
        <ol className={review.changes}>
          {changes.map((change) => (
            <li key={`${change.pointer} ${change.words}`}>
              <p>{change.words}</p>
              <TextChange before={change.before} after={change.after} />
            </li>
          ))}
        </ol>
      )}
      {more && <p className={review.note}>Not all changes are listed here.</p>}
      {changes.length === 0 &&
        (after.length > 0 ? after : before).map((text, at) => (
          // Definitions of the same name have no identity but their place.
          // oxlint-disable-next-line react/no-array-index-key
          <CodeText key={at} text={text} language="json" label="Definition" numbered={false} />
        ))}
    </section>
  );
}

function explanation({ list, change }: ChangedItem): string {
  const { one } = LISTS[list];
  if (change === 'added') return `New ${one}.`;
  if (change === 'removed') return `The server no longer lists this ${one}.`;
  return `The definition of this ${one} has changed.`;
}
