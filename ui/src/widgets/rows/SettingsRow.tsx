import { Button, Group } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { CommandError } from '../../contract/generated';
import { commandError } from '../../model/store/errors';
import { CommandAlert } from '../failure/CommandAlert';
import { focused, useFocusWhenOpened } from '../focus/focused';
import classes from './SettingsRow.module.css';

/** A list of things that the user has set up. */
export function SettingsList({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className={classes.list} aria-label={label}>
      {children}
    </ul>
  );
}

interface SettingsRowProps {
  name: string;
  /** What it is, a line each. */
  lines: readonly ReactNode[];
  /** What else can be done with it, before “Edit”. */
  actions?: ReactNode;
  onEdit: () => void;
  /** Removes it; rejects with a `CommandFailure`. */
  onRemove: () => Promise<void>;
  /** What removing it leads to; said before it is removed. */
  removalWarning?: string | undefined;
  /** Below the row. */
  children?: ReactNode;
}

/** One of them, with the ways to edit and to remove it. */
export function SettingsRow(props: SettingsRowProps) {
  const { name, lines, actions, onEdit, onRemove, removalWarning, children } = props;
  const [removing, setRemoving] = useState(false);
  const removeButton = useFocusWhenOpened(!removing);
  const [error, setError] = useState<CommandError | null>(null);
  return (
    <li className={classes.row} aria-label={name}>
      <div className={classes.what}>
        <b className="pb-ellipsis">{name}</b>
        {lines.map((line, at) => (
          // Lines have no identity other than their position.
          // oxlint-disable-next-line react/no-array-index-key
          <span key={at} className={`${classes.line} pb-ellipsis`}>
            {line}
          </span>
        ))}
      </div>
      <Group gap={4} wrap="nowrap">
        {removing ? (
          <>
            <Button size="compact-sm" variant="default" ref={focused} onClick={() => setRemoving(false)}>
              Cancel
            </Button>
            <Button
              size="compact-sm"
              color="red"
              onClick={() => {
                onRemove().catch((thrown: unknown) => setError(commandError(thrown)));
              }}
            >
              Remove
            </Button>
          </>
        ) : (
          <>
            {actions}
            <Button size="compact-sm" variant="subtle" color="gray" onClick={onEdit}>
              Edit
            </Button>
            <Button
              ref={removeButton}
              size="compact-sm"
              variant="subtle"
              color="gray"
              onClick={() => setRemoving(true)}
            >
              Remove…
            </Button>
          </>
        )}
      </Group>
      {removing && removalWarning !== undefined && (
        <p className={classes.warning} role="alert">
          {removalWarning}
        </p>
      )}
      {children}
      {error !== null && <CommandAlert error={error} onClose={() => setError(null)} />}
    </li>
  );
}
