import { Button, Input, TextInput } from '@mantine/core';
import { useState } from 'react';
import classes from './NameForm.module.css';

/** The longest name, in characters. */
const MAX_NAME = 100;

interface NameFormProps {
  initial: string;
  /** Names in use: the button says that what has that name is replaced. */
  taken: readonly string[];
  submit: 'Save' | 'Rename';
  /** Why a name cannot be used, in a sentence; null if it can. */
  problemOf?: (name: string) => string | null;
  onName: (name: string) => void;
}

/** Asks for the name under which something is saved. */
export function NameForm({ initial, taken, submit, problemOf, onName }: NameFormProps) {
  const [name, setName] = useState(initial);
  const trimmed = name.trim();
  const problem = problemOf?.(trimmed) ?? null;
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (trimmed !== '' && problem === null) onName(trimmed);
      }}
    >
      <TextInput
        className={classes.name}
        label="Name"
        value={name}
        error={problem !== null}
        maxLength={MAX_NAME}
        data-autofocus
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Button type="submit" disabled={trimmed === '' || problem !== null}>
        {taken.includes(trimmed) ? 'Replace' : submit}
      </Button>
      {problem !== null && (
        <Input.Error className={classes.problem} role="alert">
          {problem}
        </Input.Error>
      )}
    </form>
  );
}
