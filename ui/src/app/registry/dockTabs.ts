import { IconAlertTriangle, IconAppWindow, IconList, IconTerminal2 } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { AppMessagesPanel } from '../../panels/explore/apps/AppMessagesPanel';
import { OutputPanel } from '../../panels/explore/logs/OutputPanel';
import { TrafficPanel } from '../../panels/traffic/TrafficPanel';
import { ProblemsBadge } from '../../panels/traffic/problems/ProblemsBadge';
import { ProblemsPanel } from '../../panels/traffic/problems/ProblemsPanel';
import type { PartEntry } from '../../widgets/layout/part';

export interface DockPanelProps {
  /** The tabs; they come first in the bar. */
  lead: ReactNode;
  /** The button that closes the dock; it comes last in the bar. */
  trail: ReactNode;
}

/** The tabs of the dock. A new one is one entry here and one folder in `panels`. */
export const DOCK_TABS: readonly PartEntry<DockPanelProps>[] = [
  { id: 'traffic', title: 'Traffic', icon: IconList, Part: TrafficPanel },
  {
    id: 'problems',
    title: 'Problems',
    icon: IconAlertTriangle,
    Badge: ProblemsBadge,
    Part: ProblemsPanel,
  },
  { id: 'output', title: 'Server output', icon: IconTerminal2, Part: OutputPanel },
  { id: 'apps', title: 'App messages', icon: IconAppWindow, Part: AppMessagesPanel },
];
