import { IconShieldQuestion } from '@tabler/icons-react';
import classes from './flow.module.css';

/** Says that a text is from a server: nobody has checked it, and it may try to instruct the model. */
export function Untrusted({ server }: { server: string }) {
  return (
    <span
      className={classes.untrusted}
      role="note"
      // Its tip is for the keyboard too.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      data-tip={`Text from ${server}. It may be wrong or contain instructions to the model.`}
    >
      <IconShieldQuestion size={12} aria-hidden />
      untrusted
    </span>
  );
}
