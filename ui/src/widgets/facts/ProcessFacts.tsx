import type { PathSource, ProcessItem } from '../../contract/generated';
import { commandLine } from '../../model/servers/serverForm';
import { formatCount } from '../../model/text/format';
import { Fact, Facts } from './Facts';
import classes from './Facts.module.css';

const SOURCES: Record<PathSource, string> = {
  inherited: 'Inherited from the process that started Patchbay',
  loginShell: 'From the login shell',
};

/** How a server's process was started, and how it ended. */
export function ProcessFacts({ process, names }: { process: ProcessItem; names?: number }) {
  const { command, args, resolved, cwd, pid, exit, envNames, inheritedNames, withheld, path } = process;
  const isPath = command.includes('/') || command.includes('\\');
  const folders = Array.from(new Set(path.value.split(':')));
  return (
    <Facts names={names}>
      <Fact name="Command" mono>
        {commandLine(command, args)}
      </Fact>
      <Fact name="Executable" mono={resolved !== null}>
        {resolved ?? (isPath ? 'Cannot be run' : 'Not found on PATH')}
      </Fact>
      <Fact name="Working directory" mono>
        {cwd}
      </Fact>
      <Fact name="Process ID" className="pb-num">
        {pid ?? 'Not started'}
      </Fact>
      <Fact name="Ended">{exit}</Fact>
      <Fact name="Environment" mono={envNames.length > 0}>
        {envNames.length > 0 ? envNames.join(', ') : 'No variables added'}
      </Fact>
      <Fact name="Inherited">
        {withheld > 0
          ? `${formatCount(inheritedNames.length, 'variable')} from Patchbay’s environment; ${withheld} withheld`
          : `All variables of Patchbay’s environment (${inheritedNames.length})`}
        <details>
          <summary>Names</summary>
          <ul className={`${classes.folders} pb-mono`}>
            {inheritedNames.map((name) => (
              <li key={name}>{name}</li>
            ))}
          </ul>
        </details>
      </Fact>
      <Fact name="PATH">
        {SOURCES[path.source]}
        {path.problem !== null && <span className={classes.problem}>{path.problem}</span>}
        <details>
          <summary>{formatCount(folders.length, 'folder')}</summary>
          <ul className={`${classes.folders} pb-mono`}>
            {folders.map((folder) => (
              <li key={folder}>{folder}</li>
            ))}
          </ul>
        </details>
      </Fact>
    </Facts>
  );
}
