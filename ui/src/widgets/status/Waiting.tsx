import { useEffect, useState } from 'react';
import type { CommandError } from '../../contract/generated';
import classes from './Waiting.module.css';

/** A loading message that appears only after a delay. */
export function Waiting({ text }: { text: string }) {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 300);
    return () => clearTimeout(timer);
  }, []);
  return (
    <output className={classes.note} aria-live="polite">
      {late ? text : '\u00a0'}
    </output>
  );
}

/** Why something could not be loaded. */
export function Failed({ error }: { error: CommandError }) {
  return (
    <p className={classes.failed} role="alert">
      {error.message}
      {error.detail !== null && <span className={classes.detail}>{error.detail}</span>}
    </p>
  );
}
