import type { ViolationItem } from '../../contract/generated';
import { weightOf } from '../../model/connection/problems/weight';
import classes from './Violations.module.css';
import { RuleLink } from '../links/RuleLink';
import { CodeMarks } from '../text/CodeMarks';
import { WeightGlyph } from './WeightGlyph';

/** Violations of the specification, one line each. */
export function Violations({ items, label }: { items: ViolationItem[]; label: string }) {
  return (
    <ul className={classes.list} aria-label={label}>
      {items.map(({ rule, severity, message, pointer }) => (
        <li key={`${rule} ${pointer ?? ''} ${message}`}>
          <WeightGlyph weight={weightOf({ rule, severity })} />
          <span>
            <CodeMarks text={message} />
            <span className={classes.rule}>
              <RuleLink rule={rule} />
              {pointer !== null && pointer !== '' && ` at ${pointer}`}
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
}
