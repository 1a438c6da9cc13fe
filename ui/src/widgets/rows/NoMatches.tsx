import { type TrafficView, useSearching } from '../../model/traffic/useTrafficView';
import { EmptyState } from '../layout/EmptyState';
import { withListFocus } from '../focus/listFocus';
import { LinkButton } from '../links/LinkButton';

interface NoMatchesProps {
  view: TrafficView;
  /** What the rows are, as a plural: `records`. */
  noun: string;
  onClear: () => void;
}

/** Shown instead of the rows of a log while its filter matches none. */
export function NoMatches({ view, noun, onClear }: NoMatchesProps) {
  const isSearching = useSearching(view);
  return (
    <EmptyState title={isSearching ? `Searching older ${noun}…` : `No matching ${noun}`}>
      <LinkButton onClick={withListFocus(onClear)}>Clear filter</LinkButton>
    </EmptyState>
  );
}
