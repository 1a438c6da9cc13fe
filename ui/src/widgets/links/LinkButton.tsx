import type { ComponentProps } from 'react';
import classes from './LinkButton.module.css';

/** A button in the middle of a text, which looks like a link: it leads somewhere within the window. */
export function LinkButton(props: Omit<ComponentProps<'button'>, 'className' | 'type'>) {
  return <button type="button" {...props} className={classes.link} />;
}
