import { useModel, useUi, useWorkspace } from '../../../model/workspace/context';
import { useIsNarrower } from '../../../model/workspace/useLayout';

/** The least width of the window for the servers and three columns beside them, in px. */
const THREE_COLUMNS = 960;

interface ContextColumn {
  isOpen: boolean;
  /** Whether it takes the place of the list: the window is too narrow for both. */
  replacesList: boolean;
  toggle: () => void;
}

/**
 * The definition beside a tool. In a narrow window it is shown only when the user opens it there, in the place of the list,
 * and the choice made in a wide window stays as it is.
 */
export function useContextColumn(): ContextColumn {
  const { ui, workspace } = useModel();
  const isNarrow = useIsNarrower(THREE_COLUMNS);
  const inWide = useUi(({ toolContextOpen }) => toolContextOpen);
  const inNarrow = useWorkspace(({ contextForList }) => contextForList);
  return {
    isOpen: isNarrow ? inNarrow : inWide,
    replacesList: isNarrow && inNarrow,
    toggle: () =>
      isNarrow
        ? workspace.setState({ contextForList: !inNarrow })
        : ui.setState({ toolContextOpen: !inWide }),
  };
}
