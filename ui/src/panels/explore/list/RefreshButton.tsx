import { IconRefresh } from '@tabler/icons-react';
import { memo } from 'react';
import type { ServerList } from '../../../model/lists/serverList';
import { IconButton } from '../../../widgets/controls/IconButton';

interface RefreshButtonProps {
  label: string;
  list: Pick<ServerList<unknown>, 'loading' | 'known'>;
  /** The same function while nothing changes: the button is then not rendered with each key typed in the search. */
  onClick: () => void;
}

/** Requests a list again. */
export const RefreshButton = memo(function RefreshButton({ label, list, onClick }: RefreshButtonProps) {
  return (
    <IconButton icon={IconRefresh} label={label} loading={list.loading && list.known} onClick={onClick} />
  );
});
