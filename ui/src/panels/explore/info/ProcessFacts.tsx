import type { PathSource, ProcessItem } from '../../../contract/generated/contract';
import { Fact, Facts } from './Facts';
import classes from './info.module.css';

const SOURCES: Record<PathSource, string> = {
  inherited: 'inherited from what started Patchbay',
  loginShell: 'asked from the login shell',
};

/** The process as it was really started. */
export function ProcessFacts({ process }: { process: ProcessItem }) {
  const { command, resolved, args, cwd, path, envNames, pid, exit } = process;
  return (
    <section className={classes.section} aria-label="Process">
      <div className={classes.head}>
        <h3 className={classes.heading}>Process</h3>
      </div>
      <Facts>
        <Fact name="Command">
          <code>{command}</code>
        </Fact>
        <Fact name="File that was run">
          {resolved === null ? 'Not found in PATH' : <code>{resolved}</code>}
        </Fact>
        <Fact name="Arguments">
          {args.length === 0 ? (
            'none'
          ) : (
            <ol className={classes.args}>
              {args.map((arg, index) => (
                // An argument may stand twice.
                // oxlint-disable-next-line react/no-array-index-key
                <li key={index}>
                  <code>{arg === '' ? '(empty)' : arg}</code>
                </li>
              ))}
            </ol>
          )}
        </Fact>
        <Fact name="Folder">
          <code>{cwd}</code>
        </Fact>
        <Fact name="Set for this server">
          {envNames.length === 0 ? 'no variables' : <code>{envNames.join(', ')}</code>}
        </Fact>
        <Fact name="PATH">
          <span className={classes.dim}>{SOURCES[path.source]}</span>
          {path.problem !== null && <span className={classes.error}>{path.problem}</span>}
          <code className={classes.path}>{path.value.split(':').join(':\u200b')}</code>
        </Fact>
        <Fact name={exit === null ? 'Process id' : 'Ended'}>
          <span className="pb-num">
            {exit ?? pid ?? 'not started'}
            {exit !== null && pid !== null && ` (process ${pid})`}
          </span>
        </Fact>
      </Facts>
    </section>
  );
}
