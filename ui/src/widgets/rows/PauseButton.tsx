import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import type { RowSelection } from '../../model/traffic/useRowSelection';
import type { TrafficView } from '../../model/traffic/useTrafficView';
import { IconButton } from '../controls/IconButton';

/** Holds a view of the traffic log as it is while recording continues, and goes on at its newest row. */
export function PauseButton({ view, selection }: { view: TrafficView; selection: RowSelection }) {
  const { paused, setPaused } = view;
  return (
    <IconButton
      icon={paused ? IconPlayerPlay : IconPlayerPause}
      label={paused ? 'Resume' : 'Pause view (recording continues)'}
      pressed={paused}
      onClick={() => {
        if (paused) selection.setFollow(true);
        setPaused(!paused);
      }}
    />
  );
}
