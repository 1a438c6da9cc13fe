import type { ProcessItem } from '../../contract/generated/contract';
import { commandLine } from '../../model/servers/serverForm';
import classes from './ConnectionPanel.module.css';

/** How a server's process was started and how it ended. */
export function ProcessFacts({ process }: { process: ProcessItem }) {
  const { path } = process;
  return (
    <>
      <h3 className={classes.section}>Process</h3>
      <dl className={`${classes.facts} pb-selectable`}>
        <dt>Command</dt>
        <dd className="pb-mono">{commandLine(process.command, process.args)}</dd>
        <dt>Program</dt>
        <dd className={process.resolved === null ? '' : 'pb-mono'}>
          {process.resolved ?? 'Not found: no folder of PATH below has it.'}
        </dd>
        <dt>Folder</dt>
        <dd className="pb-mono">{process.cwd}</dd>
        <dt>Process id</dt>
        <dd className="pb-num">{process.pid ?? 'It did not start.'}</dd>
        {process.exit !== null && (
          <>
            <dt>Ended with</dt>
            <dd>{process.exit}</dd>
          </>
        )}
        {process.envNames.length > 0 && (
          <>
            <dt>Variables set</dt>
            <dd className="pb-mono">{process.envNames.join(', ')}</dd>
          </>
        )}
        <dt>PATH</dt>
        <dd>
          {path.source === 'loginShell' ? 'From the login shell' : 'Inherited from the terminal'}
          {path.problem !== null && `; ${path.problem}`}
          <details>
            <summary>{path.value.split(':').length} folders</summary>
            <ul className={`${classes.path} pb-mono`}>
              {Array.from(new Set(path.value.split(':'))).map((folder) => (
                <li key={folder}>{folder}</li>
              ))}
            </ul>
          </details>
        </dd>
      </dl>
    </>
  );
}
