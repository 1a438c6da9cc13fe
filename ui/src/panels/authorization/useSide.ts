import { useModel, useUi } from '../../model/workspace/context';
import { useIsNarrower } from '../../model/workspace/useLayout';

/** Below this width of the window, in px, there is no room for three columns. */
const ROOMY = 1140;

interface Side {
  /** Whether the sequence or the token is shown. */
  isOpen: boolean;
  /** Whether it takes the place of the selected step. A narrow window has a choice of its own. */
  isAlone: boolean;
  toggle: () => void;
}

/** What is beside the steps of a run and the selected one. */
export function useSide(): Side {
  const { ui } = useModel();
  const isAlone = useIsNarrower(ROOMY);
  const key = isAlone ? 'authorizationSideInNarrow' : 'authorizationSideOpen';
  const isOpen = useUi((state) => state[key]);
  return { isOpen, isAlone, toggle: () => ui.setState({ [key]: !isOpen }) };
}
