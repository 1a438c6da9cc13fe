import type { TrafficView } from '../../model/traffic/useTrafficView';
import { CommandAlert } from '../failure/CommandAlert';
import { LinkButton } from '../links/LinkButton';

/** Above the rows of a view of the traffic log: why they cannot be shown, or new ones cannot come. */
export function LogProblems({ view }: { view: TrafficView }) {
  const { error, storeProblem } = view;
  const again = <LinkButton onClick={() => view.retry()}>Try again</LinkButton>;
  return (
    <>
      {storeProblem !== null && (
        <CommandAlert error={{ code: 'storage', message: storeProblem, detail: null }} inPane>
          {again}
        </CommandAlert>
      )}
      {error !== null && (
        <CommandAlert error={error} inPane>
          {again}
        </CommandAlert>
      )}
    </>
  );
}
