import { IconAlertCircle, IconAlertTriangle } from '@tabler/icons-react';
import type { ViolationItem } from '../../contract/generated';
import classes from './Violations.module.css';

/** Violations of the specification, one line each. */
export function Violations({ items, label }: { items: ViolationItem[]; label: string }) {
  return (
    <ul className={classes.list} aria-label={label}>
      {items.map(({ rule, severity, message, pointer }) => (
        <li key={`${rule} ${pointer ?? ''} ${message}`} data-severity={severity}>
          {severity === 'error' ? (
            <IconAlertCircle size={14} aria-label="Error" />
          ) : (
            <IconAlertTriangle size={14} aria-label="Warning" />
          )}
          <span>
            {message}
            <span className={classes.rule}>
              {rule}
              {pointer !== null && pointer !== '' && ` at ${pointer}`}
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
}
