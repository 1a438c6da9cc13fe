import { Kbd, Modal } from '@mantine/core';
import { SHORTCUTS, type Shortcut, isMac } from '../model/workspace/shortcuts';
import classes from './Shell.module.css';

const GROUPS: readonly Shortcut['group'][] = ['Anywhere', 'Lists', 'Forms', 'Text'];

/** All shortcuts, from the one table. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const mod = isMac() ? '⌘' : 'Ctrl';
  return (
    <Modal opened onClose={onClose} title="Shortcuts" size={760}>
      <div className={classes.keyColumns}>
        {GROUPS.map((group) => (
          <section key={group} aria-label={group}>
            <h3 className={classes.keysHead}>{group}</h3>
            <dl className={classes.keys}>
              {SHORTCUTS.filter((shortcut) => shortcut.group === group).map(({ id, keys, label }) => (
                <div key={id} style={{ display: 'contents' }}>
                  <dt>{label}</dt>
                  <dd>
                    {keys.map((key) => (
                      <Kbd key={key} size="xs" ml={4}>
                        {key === 'Mod' ? mod : key}
                      </Kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Modal>
  );
}
