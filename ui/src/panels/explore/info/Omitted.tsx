import { formatCount } from '../../../model/text/format';
import classes from './info.module.css';

/** More rows of a table are not drawn: a server may declare any number of capabilities and extensions. */
export const MAX_ROWS = 200;

/** The end of a table that has more rows than are drawn. */
export function Omitted({ rows }: { rows: number }) {
  if (rows <= MAX_ROWS) return null;
  return (
    <tfoot>
      <tr>
        <td colSpan={4} className={classes.dim}>
          {formatCount(rows - MAX_ROWS)} more are not shown here; the capabilities as JSON have all of them.
        </td>
      </tr>
    </tfoot>
  );
}
