import type { DeclaredIcon } from '../../../model/lists/icons';
import classes from './info.module.css';

/** The icons a server declares for something. Images that came with the response are shown; nothing is fetched. */
export function Icons({ icons }: { icons: readonly DeclaredIcon[] }) {
  return (
    <ul className={classes.icons}>
      {icons.map(({ address, mimeType, sizes, theme, shown, refusal }, at) => (
        // The same icon may be declared twice.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={at}>
          {shown === null ? (
            <span className="pb-mono">{address}</span>
          ) : (
            <img src={shown} alt="" width={24} height={24} />
          )}
          <span className={classes.dim}>
            {[mimeType, sizes, theme, refusal === null ? null : `not shown: ${refusal}`]
              .filter((part) => part !== null && part !== '')
              .join(' · ')}
          </span>
        </li>
      ))}
    </ul>
  );
}
