import { useWorkspace } from './context';
import { useIsNarrower } from './useLayout';

/** The least width of the window for a list, what is selected in it, and a request of a server beside them, in px. */
const LIST_AND_INPUT = 1060;

/** Whether there is room for a list beside what is selected in it, which comes first while a request of a server is answered. */
export function useListRoom(): boolean {
  const hasInput = useWorkspace(({ openInput }) => openInput !== null);
  const isNarrow = useIsNarrower(LIST_AND_INPUT);
  return !hasInput || !isNarrow;
}
