import { useEffect, useEffectEvent } from 'react';
import type { ServerId } from '../../contract/generated';
import { useModel, useWorkspace } from './context';
import type { FocusPlace } from './workspace';

/**
 * Takes the focus when it was requested for this place, as soon as the place is shown. If the user has moved on meanwhile (to a
 * field, a dialog, the palette), the focus stays there.
 */
export function useFocusRequest(
  place: FocusPlace,
  serverId: ServerId | null,
  isShown: boolean,
  focus: () => void,
): void {
  const { workspace } = useModel();
  const isRequested = useWorkspace(
    ({ focusRequest }) => focusRequest?.place === place && focusRequest.serverId === serverId,
  );
  const take = useEffectEvent((): void => {
    const { focusRequest } = workspace.getState();
    workspace.setState({ focusRequest: null });
    const { activeElement, body } = document;
    const isElsewhere = focusRequest?.from !== undefined && activeElement !== focusRequest.from;
    if (!isElsewhere || activeElement === body || activeElement === null) focus();
  });
  useEffect(() => {
    if (isRequested && isShown) take();
  }, [isRequested, isShown]);
}
