import type { ServerId, ToolItem } from '../../../../contract/generated';
import { useModel, useUi } from '../../../../model/workspace/context';

/** Whether the user is asked before each call of a tool; null if the tool is not destructive. */
export function useConfirmation(serverId: ServerId, { name, hints }: ToolItem) {
  const { ui } = useModel();
  const isAsked = useUi(({ unconfirmedTools }) => unconfirmedTools[serverId]?.includes(name) !== true);
  return {
    isConfirmed: hints.destructive === true ? isAsked : null,
    setConfirmed: (isConfirmed: boolean): void =>
      ui.setState(({ unconfirmedTools }) => {
        const others = (unconfirmedTools[serverId] ?? []).filter((each) => each !== name);
        return {
          unconfirmedTools: { ...unconfirmedTools, [serverId]: isConfirmed ? others : [...others, name] },
        };
      }),
  };
}
