import type { ServerId } from '../contract/generated';
import { useActions } from '../model/workspace/actions';
import { useMode } from '../model/workspace/context';
import { useShortcutText, withShortcut } from '../model/workspace/shortcuts/bound';
import { Segments } from '../widgets/controls/Segments';
import { useChosenEntry, useShownEntries } from '../widgets/layout/part';
import classes from './Shell.module.css';
import { MODES } from './registry/modes';

/** Switches the centre between the modes of the selected server. */
export function ModeSwitch({ serverId }: { serverId: ServerId }) {
  const mode = useChosenEntry(MODES, useMode(serverId), serverId);
  const shown = useShownEntries(MODES, serverId);
  const { show } = useActions();
  const keys = useShortcutText('mode');
  return (
    <span className={classes.modes}>
      <Segments
        label="Mode"
        value={mode?.id ?? ''}
        onChange={(next) => show(serverId, next)}
        segments={shown.map(({ entry: { id, title, icon: Glyph, Badge }, disabledReason }) => ({
          value: id,
          disabled: disabledReason !== undefined,
          label: (
            <span className={classes.mode} data-tip={disabledReason ?? withShortcut(title, keys)}>
              {Glyph !== undefined && <Glyph size={14} aria-hidden />}
              {title}
              {Badge !== undefined && <Badge serverId={serverId} />}
            </span>
          ),
        }))}
      />
    </span>
  );
}
