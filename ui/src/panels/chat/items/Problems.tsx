import classes from './items.module.css';

/** How arguments differ from the tool's schema. */
export function Problems({ problems }: { problems: readonly string[] }) {
  if (problems.length === 0) return null;
  return (
    <div className={classes.problems} role="note">
      The arguments do not match the tool’s schema; the server may refuse them.
      <ul>
        {problems.map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
      </ul>
    </div>
  );
}
