import { useModel, useUi, useWorkspace } from '../../../model/workspace/context';
import { useIsNarrower } from '../../../model/workspace/useLayout';

/** The least width of the window for the servers and three columns beside them, in px; and for a request of a server too. */
const THREE_COLUMNS = 960;
const THREE_COLUMNS_AND_INPUT = 1800;

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
  const hasInput = useWorkspace(({ openInput }) => openInput !== null);
  const isNarrow = useIsNarrower(hasInput ? THREE_COLUMNS_AND_INPUT : THREE_COLUMNS);
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
