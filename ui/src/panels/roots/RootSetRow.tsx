import type { RootSetItem } from '../../contract/generated';
import { formatCount } from '../../model/text/format';
import { useModel } from '../../model/workspace/context';
import { SettingsRow } from '../../widgets/rows/SettingsRow';
import { useUsers } from './useUsers';

/** A shared set, who uses it, and what can be done with it. */
export function RootSetRow({ item, onEdit }: { item: RootSetItem; onEdit: () => void }) {
  const { roots } = useModel();
  const users = useUsers(item);
  const paths = item.folders.map(({ path }) => path).join(', ');
  const folders = (
    <>
      {formatCount(item.folders.length, 'folder')}
      {paths !== '' && (
        <>
          : <span className="pb-mono">{paths}</span>
        </>
      )}
    </>
  );
  return (
    <SettingsRow
      name={item.name}
      lines={[folders, users === '' ? 'Not used' : `Used by ${users}`]}
      onEdit={onEdit}
      onRemove={() => roots.remove(item.id)}
      removalWarning={
        users === ''
          ? undefined
          : `${users} ${item.usedBy.length === 1 ? 'uses' : 'use'} this set and will no longer receive its folders.`
      }
    />
  );
}
