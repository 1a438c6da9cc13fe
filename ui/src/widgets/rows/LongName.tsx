import classes from './LongName.module.css';

/** The longest name that is drawn, in characters: names may have thousands. */
const MAX = 300;
/** A name of up to so many characters is drawn in one piece. */
const SHORT = 20;
/** How many characters of the end are always seen. */
const END = 10;

/**
 * A name in a row. Where there is no room for it, its middle is left out: names of one server often begin alike and differ
 * at the end.
 */
export function LongName({ name, className = '' }: { name: string; className?: string | undefined }) {
  if (name.length <= SHORT) return <span className={`pb-ellipsis ${className}`}>{name}</span>;
  const characters = Array.from(name.length > 2 * MAX ? `${name.slice(0, MAX)}…${name.slice(-END)}` : name);
  return (
    <span className={`${classes.name} ${className}`}>
      <span className={classes.start}>{characters.slice(0, -END).join('')}</span>
      <span className={classes.end}>{characters.slice(-END).join('')}</span>
    </span>
  );
}
