import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';

import classes from '../form.module.css';

/** A quiet button below or above the fields of a form; `isAdd` for one that adds a field. */
export function FormButton({
  isAdd = false,
  onClick,
  children,
}: {
  isAdd?: boolean;
  onClick: () => void;
  children: string;
}) {
  return (
    <Button
      variant="subtle"
      color="gray"
      size="compact-xs"
      leftSection={isAdd ? <IconPlus size={14} /> : undefined}
      className={classes.button}
      onClick={onClick}
    >
      {children}
    </Button>
  );
}
