import type { EnvironmentReadResponse, PathEntryOrigin } from '../../../contract/generated';
import { useFolderChecks } from '../../../model/servers/roots/useFolderChecks';
import { formatCount } from '../../../model/text/format';
import { folderProblem } from './pathWords';
import classes from './environment.module.css';

const ORIGINS: Record<PathEntryOrigin, string | undefined> = {
  before: 'Added',
  environment: undefined,
  after: 'Added',
};

/** The folders of PATH in their order, each with where it came from and what is wrong with it. */
export function PathPreview({ read }: { read: EnvironmentReadResponse }) {
  const { path, more } = read;
  const facts = useFolderChecks(path.map(({ folder }) => folder));
  const first = new Map<string, number>();
  for (const [at, { folder }] of path.entries()) if (!first.has(folder)) first.set(folder, at);
  const problems = path.map(({ folder }) => folderProblem(folder, facts.get(folder)));
  const wrong = problems.filter((problem) => problem !== undefined).length;
  return (
    <div>
      <h4 className={classes.heading}>
        PATH
        <span className={classes.count}>
          {formatCount(path.length + more, 'folder')}
          {wrong > 0 && `, ${wrong} not usable`}
        </span>
      </h4>
      {path.length === 0 ? (
        <p className={classes.words}>PATH is not set. Only programs with a full path are found.</p>
      ) : (
        // It scrolls, so it is reached by keys.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <ol className={`${classes.path} pb-selectable`} aria-label="Folders of PATH" tabIndex={0}>
          {path.map(({ folder, from }, at) => (
            // The same folder may be in it several times.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={at}>
              {folder === '' ? (
                <span>Working directory of the program</span>
              ) : (
                <span className="pb-mono">{folder}</span>
              )}
              <span className={classes.marks}>
                {problems[at] !== undefined && <span className={classes.problem}>{problems[at]}</span>}
                {first.get(folder) !== at && <span>Duplicate</span>}
                {ORIGINS[from] !== undefined && <span>{ORIGINS[from]}</span>}
              </span>
            </li>
          ))}
        </ol>
      )}
      {more > 0 && <p className={classes.note}>The first {path.length} are shown.</p>}
    </div>
  );
}
