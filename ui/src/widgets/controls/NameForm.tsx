import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import classes from './NameForm.module.css';

/** The longest name, in characters. */
const MAX_NAME = 100;

interface NameFormProps {
  initial: string;
  /** Names in use: the button says that what has that name is replaced. */
  taken: readonly string[];
  submit: 'Save' | 'Rename';
  onName: (name: string) => void;
}

/** Asks for the name under which something is saved. */
export function NameForm({ initial, taken, submit, onName }: NameFormProps) {
  const [name, setName] = useState(initial);
  const trimmed = name.trim();
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (trimmed !== '') onName(trimmed);
      }}
    >
      <TextInput
        className={classes.name}
        label="Name"
        value={name}
        maxLength={MAX_NAME}
        data-autofocus
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Button type="submit" disabled={trimmed === ''}>
        {taken.includes(trimmed) ? 'Replace' : submit}
      </Button>
    </form>
  );
}
