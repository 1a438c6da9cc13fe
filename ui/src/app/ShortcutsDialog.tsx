import { Button, Kbd, Modal } from '@mantine/core';
import { useModel, useUi } from '../model/workspace/context';
import { SHORTCUTS, type Shortcut } from '../model/workspace/shortcuts';
import { boundKeys, isRebound } from '../model/workspace/shortcuts/bound';
import { isFixed } from '../model/workspace/shortcuts/judge';
import { isMac, keyParts } from '../model/workspace/shortcuts/keys';
import { COMMANDS } from './registry/commands';
import { SERVER_COMMANDS } from './registry/serverCommands';
import classes from './Shell.module.css';

const GROUPS: readonly Shortcut['group'][] = ['Anywhere', 'Lists', 'Forms', 'Text'];

interface Row {
  id: string;
  label: string;
  keys: readonly string[];
}

/** All shortcuts: those of the one table, with the keys that the user chose. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const { workspace } = useModel();
  const chosen = useUi((state) => state.shortcuts);
  return (
    <Modal opened onClose={onClose} title="Shortcuts" size={760}>
      <Button
        variant="default"
        mb="md"
        data-autofocus
        onClick={() => workspace.setState({ dialog: { type: 'keys' } })}
      >
        Change shortcuts…
      </Button>
      <div className={classes.keyColumns}>
        {GROUPS.map((group) => (
          <section key={group} aria-label={group}>
            <h3 className={classes.keysHead}>{group}</h3>
            <ul className={classes.keys}>
              {rowsOf(group, chosen).map(({ id, label, keys }) => (
                <li key={id}>
                  <span>{label}</span>
                  <span>
                    {keys.map((key) => (
                      <Kbd key={key} size="xs" ml={4}>
                        {key}
                      </Kbd>
                    ))}
                  </span>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </Modal>
  );
}

function rowsOf(group: Shortcut['group'], chosen: Readonly<Record<string, unknown>>): Row[] {
  const mod = isMac() ? '⌘' : 'Ctrl';
  const rows = SHORTCUTS.filter((shortcut) => shortcut.group === group).flatMap(
    ({ id, label, keys }): Row[] => {
      if (isFixed(id)) return [{ id, label, keys: keys.map((key) => (key === 'Mod' ? mod : key)) }];
      const own = boundKeys(id, chosen);
      return own === null ? [] : [{ id, label, keys: keyParts(own) }];
    },
  );
  if (group !== 'Anywhere') return rows;
  // Commands that have keys only because the user chose some.
  const known = new Set<string>(SHORTCUTS.filter(({ id }) => !isFixed(id)).map(({ id }) => id));
  const others = [...COMMANDS, ...SERVER_COMMANDS].flatMap(({ id, title }): Row[] => {
    const own = known.has(id) || !isRebound(id, chosen) ? null : boundKeys(id, chosen);
    return own === null || typeof title !== 'string' ? [] : [{ id, label: title, keys: keyParts(own) }];
  });
  return [...rows, ...others];
}
