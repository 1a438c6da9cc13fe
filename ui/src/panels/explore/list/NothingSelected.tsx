import { Button } from '@mantine/core';
import type { ServerList } from '../../../model/lists/serverList';
import { shortened } from '../../../model/text/format';
import { EmptyState } from '../../../widgets/layout/EmptyState';

/** How much of a name is shown, in characters: it is the server's. */
const MAX_NAME = 200;

interface NothingSelectedProps {
  list: Pick<ServerList<unknown>, 'known' | 'error' | 'rows' | 'supported' | 'loading'>;
  /** `tool`, in the singular. */
  noun: string;
  /** What selecting an item shows, in a sentence. */
  hint: string;
  /** What a server must declare for it; without one, the capability of this name. */
  needs?: string;
  /** The name of what is selected but not in the list. */
  missing?: string | undefined;
  onRefresh: () => void;
}

/** Shown next to a list while nothing of it is selected: a hint, or why there is nothing to select. */
export function NothingSelected({ list, noun, hint, needs, missing, onRefresh }: NothingSelectedProps) {
  if (!list.known || list.error !== null) return null;
  if (missing !== undefined)
    return (
      <EmptyState
        title={`“${shortened(missing, MAX_NAME)}” is not in the list`}
        text={`What you entered for this ${noun} is kept, and shown again when the server lists it.`}
      >
        <Button variant="default" loading={list.loading} onClick={onRefresh}>
          Refresh
        </Button>
      </EmptyState>
    );
  if (list.rows.length > 0) return <EmptyState title={`No ${noun} selected`} text={hint} />;
  const nouns = `${noun}s`;
  return (
    <EmptyState
      title={
        list.supported ? `No ${nouns}` : `${nouns.charAt(0).toUpperCase()}${nouns.slice(1)} not supported`
      }
      text={
        list.supported
          ? `The server’s list of ${nouns} is empty.`
          : `The server does not declare ${needs ?? `the ${nouns} capability`}, so ${nouns} were not requested.`
      }
    >
      <Button variant="default" loading={list.loading} onClick={onRefresh}>
        {list.supported ? 'Refresh' : 'Request anyway'}
      </Button>
    </EmptyState>
  );
}
