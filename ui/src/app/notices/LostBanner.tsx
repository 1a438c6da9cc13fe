import { IconPlugConnectedX } from '@tabler/icons-react';
import classes from '../Shell.module.css';

/** Shown while the engine cannot be reached. */
export function LostBanner({ cause }: { cause: string }) {
  return (
    <div className={classes.lost} role="alert">
      <IconPlugConnectedX size={16} aria-hidden />
      Connection to Patchbay lost. Reconnecting… {cause}
    </div>
  );
}
