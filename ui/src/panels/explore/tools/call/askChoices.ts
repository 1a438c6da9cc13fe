import type { ToolItem } from '../../../../contract/generated';
import { type AskMode, defaultMode } from '../../../../model/tools/consent';
import type { AskChoices } from '../../../../widgets/controls/ConfirmCall';

/** When the user can be asked for calls of a tool. */
export function askChoices(hints: ToolItem['hints']): AskChoices<AskMode> {
  const mode = defaultMode(hints);
  return [
    { mode, label: mode === 'each' ? 'Ask before each call' : 'Ask again after a restart' },
    { mode: 'neverTool', label: 'Always call this tool without asking' },
    { mode: 'neverServer', label: 'Always call the tools of this server without asking' },
  ];
}
