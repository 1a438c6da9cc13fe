import { Button, Kbd } from '@mantine/core';
import { IconPencil, IconRestore, IconX } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import {
  type Bindable,
  boundKeys,
  defaultKeys,
  isRebound,
  withKeys,
} from '../../../model/workspace/shortcuts/bound';
import { type Verdict, judge } from '../../../model/workspace/shortcuts/judge';
import { DIGITS, type Keys, keyParts, keysText } from '../../../model/workspace/shortcuts/keys';
import { useModel, useUi } from '../../../model/workspace/context';
import { IconButton } from '../../../widgets/controls/IconButton';
import { KeyRecorder } from './KeyRecorder';
import classes from './keys.module.css';

/** A command that can have keys. */
export interface KeyCommand extends Bindable {
  title: string;
}

interface KeyRowProps {
  command: KeyCommand;
  commands: readonly KeyCommand[];
}

/** Keys that were pressed, and what speaks against them. */
interface Tried {
  keys: Keys;
  verdict: Verdict<KeyCommand>;
}

/** A command, its keys, and the ways to change them. */
export function KeyRow({ command, commands }: KeyRowProps) {
  const { ui } = useModel();
  const chosen = useUi((state) => state.shortcuts);
  const [isRecording, setRecording] = useState(false);
  const [tried, setTried] = useState<Tried | null>(null);
  const row = useRef<HTMLLIElement>(null);
  const { id, title } = command;
  const keys = boundKeys(id, chosen);
  const usual = defaultKeys(id);

  const end = (): void => {
    setRecording(false);
    setTried(null);
  };
  const endHere = (): void => {
    end();
    row.current?.querySelector('button')?.focus();
  };
  const choose = (next: Keys | null): void => {
    ui.setState(({ shortcuts }) => {
      const others = commands.filter(
        (each) => next !== null && each.id !== id && judgedBy(next, command, each, shortcuts),
      );
      const freed = others.reduce((all, each) => withKeys(all, each.id, null), shortcuts);
      return { shortcuts: { ...withKeys(freed, id, next) } };
    });
    endHere();
  };
  const press = (pressed: Keys): void => {
    const next = usual?.endsWith(DIGITS) === true ? rangeOf(pressed) : pressed;
    if (next === null) {
      setTried({
        keys: pressed,
        verdict: { type: 'refused', reason: 'Press a digit, with the keys to hold.' },
      });
      return;
    }
    if (next === keys) {
      endHere();
      return;
    }
    const verdict = judge(next, command, commands, chosen);
    if (verdict.type === 'free') choose(next);
    else setTried({ keys: next, verdict });
  };

  return (
    // A click on a button in it leaves the focus to the recorder, which would end before the click.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <li
      ref={row}
      className={classes.row}
      role="group"
      aria-label={title}
      onMouseDown={isRecording ? (event) => event.preventDefault() : undefined}
    >
      <span className={classes.title}>{title}</span>
      {isRecording ? (
        <KeyRecorder
          label={`New keys for ${title}`}
          onKeys={press}
          onCancel={endHere}
          onLeave={(to) => {
            if (row.current?.contains(to) !== true) end();
          }}
        >
          {tried === null ? 'Press the keys, or Esc' : keysText(tried.keys)}
        </KeyRecorder>
      ) : (
        <ShownKeys keys={keys} />
      )}
      <span className={classes.actions}>
        {isRebound(id, chosen) && (
          <IconButton
            icon={IconRestore}
            label={`Reset ${title} to ${usual === null ? 'no keys' : keysText(usual)}`}
            onClick={() => choose(usual)}
          />
        )}
        {keys !== null && (
          <IconButton icon={IconX} label={`Remove the keys of ${title}`} onClick={() => choose(null)} />
        )}
        <IconButton
          icon={IconPencil}
          label={`Change the keys of ${title}`}
          onClick={() => setRecording(true)}
        />
      </span>
      {tried !== null && <Objection tried={tried} onUse={() => choose(tried.keys)} onCancel={endHere} />}
    </li>
  );
}

/** Why the keys that were pressed are not used yet, and the ways on. */
function Objection({ tried, onUse, onCancel }: { tried: Tried; onUse: () => void; onCancel: () => void }) {
  const { keys, verdict } = tried;
  if (verdict.type === 'free') return null;
  return (
    <div className={classes.verdict} data-refused={verdict.type === 'refused' || undefined} role="alert">
      {verdict.type === 'taken' ? `${keysText(keys)} is used by “${verdict.by.title}”.` : verdict.reason}
      {verdict.type === 'refused' ? (
        ' Press other keys.'
      ) : (
        <>
          <Button size="compact-xs" variant="default" onClick={onUse}>
            {verdict.type === 'taken' ? 'Use here instead' : 'Use anyway'}
          </Button>
          <Button size="compact-xs" variant="subtle" color="gray" onClick={onCancel}>
            Cancel
          </Button>
        </>
      )}
    </div>
  );
}

export function ShownKeys({ keys }: { keys: Keys | null }) {
  if (keys === null) return <span className={classes.none}>None</span>;
  return (
    <span className={classes.keys}>
      {keyParts(keys).map((key) => (
        <Kbd key={key} size="xs">
          {key}
        </Kbd>
      ))}
    </span>
  );
}

/** Whether other keys than these would be free of a command. */
function judgedBy(
  keys: Keys,
  command: KeyCommand,
  other: KeyCommand,
  chosen: Readonly<Record<string, unknown>>,
): boolean {
  const verdict = judge(keys, command, [other], chosen);
  return verdict.type === 'taken';
}

/** A digit means all of them. */
function rangeOf(pressed: Keys): Keys | null {
  return /^(.*\+)?[1-9]$/.test(pressed) ? `${pressed.slice(0, -1)}${DIGITS}` : null;
}
