import { useModel, useUi, useWorkspace } from '../../../model/workspace/context';
import { ROOMY, useIsNarrower } from '../../../model/workspace/useLayout';

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
 * The definition beside a tool. In a narrow window it is shown only when the user opens it there, in the place of the list.
 * In one of middling width, and in a wide one, it is as the user left it there; at first only the wide one has it.
 */
export function useContextColumn(): ContextColumn {
  const { ui, workspace } = useModel();
  const hasInput = useWorkspace(({ openInput }) => openInput !== null);
  const isNarrow = useIsNarrower(hasInput ? THREE_COLUMNS_AND_INPUT : THREE_COLUMNS);
  const isMiddling = useIsNarrower(ROOMY);
  const inWide = useUi(({ toolContextOpen }) => toolContextOpen);
  const inMiddle = useUi(({ toolContextInMiddle }) => toolContextInMiddle);
  const inNarrow = useWorkspace(({ contextForList }) => contextForList);
  return {
    isOpen: isNarrow ? inNarrow : isMiddling ? inMiddle : inWide,
    replacesList: isNarrow && inNarrow,
    toggle: () => {
      if (isNarrow) workspace.setState({ contextForList: !inNarrow });
      else if (isMiddling) ui.setState({ toolContextInMiddle: !inMiddle });
      else ui.setState({ toolContextOpen: !inWide });
    },
  };
}
