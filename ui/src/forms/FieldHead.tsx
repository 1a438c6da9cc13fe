import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import type { FieldSchema } from '../model/form/fields/field';
import { describeBounds, describeField } from './describe';
import { type FieldProps, useForm } from './formContext';
import classes from './form.module.css';
import { shortened } from '../model/text/format';

interface FieldHeadProps extends FieldProps {
  id: string;
  name: string;
  field: FieldSchema;
}

/** The longest name or title that is shown, in characters. */
const MAX_SHOWN = 200;

/** A name as it is shown. */
export function shownName(name: string): string {
  return name === '' ? '(empty name)' : shortened(name, MAX_SHOWN);
}

/** What the pointer shows of a text that is not shown in full. */
function tipOf(text: string): string | undefined {
  return text.length > MAX_SHOWN ? text.slice(0, 2_000) : undefined;
}

/** The line above a control: name, title, type. */
export function FieldHead({ id, name, field, value, place, required, onRename }: FieldHeadProps) {
  const { title } = field.keywords;
  const { types } = useForm();
  const type = types === 'schema' ? describeField(field) : describeBounds(field);
  const isConstant = field.kind.type === 'constant' && value !== undefined;
  return (
    <div className={classes.head}>
      {place === 'extra' ? (
        <NameInput name={name} onRename={onRename} />
      ) : (
        <label className={classes.name} htmlFor={id} title={tipOf(name)}>
          {shownName(name)}
          {required && (
            <span className={classes.required} data-tip="Required">
              *
            </span>
          )}
        </label>
      )}
      {place !== 'extra' && typeof title === 'string' && differs(title, name) && (
        <span className={classes.title} title={tipOf(title)}>
          {shortened(title, MAX_SHOWN)}
        </span>
      )}
      {type !== '' && (
        <span className={classes.type} data-value={isConstant || undefined}>
          {type}
        </span>
      )}
    </div>
  );
}

/** The name of a member that can be renamed: when the field is left, or with Enter. A name that is taken is refused. */
function NameInput({ name, onRename }: { name: string; onRename: FieldProps['onRename'] }) {
  /** What is typed instead of a name, or was and is taken. */
  const [draft, setDraft] = useState({ name, text: name, isTaken: false });
  const isOurs = draft.name === name;
  const rename = (to: string): boolean => {
    const isTaken = to !== name && onRename?.(name, to) === false;
    // After a rename nothing is typed: another member may take the place of this one.
    if (to !== name) setDraft({ name: isTaken ? name : to, text: to, isTaken });
    return !isTaken;
  };
  return (
    <TextInput
      className={classes.key}
      value={isOurs && !draft.isTaken ? draft.text : name}
      error={isOurs && draft.isTaken && `${shownName(draft.text)} already exists`}
      aria-label="Property name"
      data-name
      spellCheck={false}
      onChange={(event) => setDraft({ name, text: event.currentTarget.value, isTaken: false })}
      onBlur={(event) => rename(event.currentTarget.value)}
      onKeyDownCapture={(event) => {
        if (event.key !== 'Enter') return;
        // Ctrl/Cmd-Enter also runs what the form is for, with the new name.
        const to = event.currentTarget.value;
        if (!flushSync(() => rename(to))) event.preventDefault();
      }}
    />
  );
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** Whether a title adds to the name. */
function differs(title: string, name: string): boolean {
  return title !== '' && plain(title) !== plain(name);
}
