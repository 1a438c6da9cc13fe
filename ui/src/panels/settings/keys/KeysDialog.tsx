import { Button, Modal } from '@mantine/core';
import { IconKeyboard } from '@tabler/icons-react';
import { useState } from 'react';
import { SHORTCUTS, type Shortcut, combinationsOf } from '../../../model/workspace/shortcuts';
import { boundKeys, isRebound, withoutKeys } from '../../../model/workspace/shortcuts/bound';
import { isFixed, overlap } from '../../../model/workspace/shortcuts/judge';
import { type Keys, keysText } from '../../../model/workspace/shortcuts/keys';
import type { Command, ServerCommand } from '../../../model/workspace/commands';
import { type Model, useModel, useUi } from '../../../model/workspace/context';
import { FilterInput } from '../../../widgets/controls/FilterInput';
import { IconButton } from '../../../widgets/controls/IconButton';
import { EmptyState } from '../../../widgets/layout/EmptyState';
import { KeyRecorder } from './KeyRecorder';
import { type KeyCommand, KeyRow, ShownKeys } from './KeyRow';
import classes from './keys.module.css';

interface KeysDialogProps {
  commands: readonly Command[];
  serverCommands: readonly ServerCommand[];
  onClose: () => void;
}

/** A command with what it is found by. */
interface Listed extends KeyCommand {
  words: string;
}

/** All commands with their keys: found by words or by keys, and changed by pressing others. */
export function KeysDialog({ commands, serverCommands, onClose }: KeysDialogProps) {
  const model = useModel();
  const chosen = useUi((state) => state.shortcuts);
  const [query, setQuery] = useState('');
  const [pressed, setPressed] = useState<Keys | null>(null);
  const [byKeys, setByKeys] = useState(false);
  const anywhere = commands.map((command) => listed(command, model));
  const ofServer = serverCommands.map(({ id, title, keywords = '' }): Listed => {
    const name = title.replace(/…$/, '');
    return { id, title: name, words: `${name} ${keywords} server` };
  });
  const all = [...anywhere, ...ofServer];
  const isShown = (words: string, keys: readonly Keys[]): boolean => {
    if (byKeys) return pressed === null || keys.some((each) => overlap(pressed, each));
    const text = `${words} ${keys.map((each) => keysText(each)).join(' ')}`.toLowerCase();
    return query
      .toLowerCase()
      .split(/\s+/u)
      .every((word) => text.includes(word));
  };
  const bound = (list: Listed[]): Listed[] =>
    list.filter(({ id, words }) => {
      const keys = boundKeys(id, chosen);
      return isShown(words, keys === null ? [] : [keys]);
    });
  const fixed = SHORTCUTS.filter(
    (each) => isFixed(each.id) && isShown(`${each.label} ${each.group}`, combinationsOf(each)),
  );
  const sections = [
    { title: 'Anywhere', rows: bound(anywhere) },
    { title: 'With the selected server', rows: bound(ofServer) },
  ].filter(({ rows }) => rows.length > 0);

  return (
    <Modal opened onClose={onClose} title="Keyboard shortcuts" size={720} stackId="keys">
      <div className={classes.bar} data-filter-scope>
        {byKeys ? (
          <KeyRecorder label="Search by keys" onKeys={setPressed} onCancel={() => setByKeys(false)}>
            {pressed === null ? 'Press the keys to look for, or Esc' : keysText(pressed)}
          </KeyRecorder>
        ) : (
          <FilterInput
            label="Search shortcuts"
            value={query}
            onChange={setQuery}
            delayMs={0}
            width="100%"
            takesFocus
          />
        )}
        <IconButton
          icon={IconKeyboard}
          label="Search by pressing keys"
          pressed={byKeys}
          onClick={() => {
            setPressed(null);
            setByKeys(!byKeys);
          }}
        />
        <Button
          variant="default"
          disabled={!all.some(({ id }) => isRebound(id, chosen))}
          onClick={() =>
            model.ui.setState(({ shortcuts }) => ({
              shortcuts: {
                ...withoutKeys(
                  shortcuts,
                  all.map(({ id }) => id),
                ),
              },
            }))
          }
        >
          Reset all
        </Button>
      </div>
      <p className={classes.note}>
        Shortcuts match the character a key produces in your keyboard layout, not its position. Those without
        Ctrl, Cmd or Alt work outside of fields.
      </p>
      {sections.map(({ title, rows }) => (
        <section key={title} aria-label={title}>
          <h3 className={classes.section}>{title}</h3>
          <ul className={classes.rows}>
            {rows.map((command) => (
              <KeyRow key={command.id} command={command} commands={all} />
            ))}
          </ul>
        </section>
      ))}
      {fixed.length > 0 && <Fixed rows={fixed} />}
      {sections.length === 0 && fixed.length === 0 && (
        <EmptyState
          title="No shortcut found"
          text={byKeys && pressed !== null ? `${keysText(pressed)} is free.` : 'Search for other words.'}
        />
      )}
    </Modal>
  );
}

/** The keys of lists, forms and texts, and those of the window. */
function Fixed({ rows }: { rows: readonly Shortcut[] }) {
  return (
    <section aria-label="Fixed">
      <h3 className={classes.section}>Fixed: lists, forms, texts and the window</h3>
      <ul className={classes.rows}>
        {rows.map((shortcut) => (
          <li key={shortcut.id} className={classes.row}>
            <span className={classes.title}>{shortcut.label}</span>
            <span className={classes.keys}>
              {combinationsOf(shortcut).map((keys) => (
                <ShownKeys key={keys} keys={keys} />
              ))}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function listed({ id, title, keywords = '', kind }: Command, model: Model): Listed {
  const name = typeof title === 'string' ? title : title(model);
  return { id, title: name, words: `${name} ${keywords} ${kind ?? ''}` };
}
