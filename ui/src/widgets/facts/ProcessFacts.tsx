import type { PathInfo, ProcessItem, ServerId } from '../../contract/generated';
import { commandLine } from '../../model/servers/serverForm';
import { formatCount } from '../../model/text/format';
import { useActions } from '../../model/workspace/actions';
import { useModel } from '../../model/workspace/context';
import { LinkButton } from '../links/LinkButton';
import { Fact, Facts } from './Facts';
import classes from './Facts.module.css';

interface ProcessFactsProps {
  serverId: ServerId;
  process: ProcessItem;
  names?: number;
}

/** How a server's process was started, and how it ended. */
export function ProcessFacts({ serverId, process, names }: ProcessFactsProps) {
  const { workspace } = useModel();
  const actions = useActions();
  const {
    command,
    args,
    resolved,
    cwd,
    pid,
    exit,
    envNames,
    inheritedNames,
    withheld,
    path,
    environmentOutdated,
  } = process;
  const isPath = command.includes('/') || command.includes('\\');
  const folders = Array.from(new Set(path.value.split(separatorOf(path.value))));
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
      {environmentOutdated && (
        <Fact name="Restart needed" className={classes.outdated}>
          The environment has changed since the program was started.{' '}
          <LinkButton onClick={() => void actions.restart(serverId)}>Restart</LinkButton>
        </Fact>
      )}
      <Fact name="PATH">
        {sourceOf(path)}{' '}
        <LinkButton
          onClick={() => workspace.setState({ dialog: { type: 'settings', search: 'shell and path' } })}
        >
          Change shell and PATH…
        </LinkButton>
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

/** What is between the folders of a PATH: on Windows, whose paths begin with a letter and a colon or two backslashes, a semicolon. */
function separatorOf(path: string): string {
  return /(?:^|;)\s*"?(?:[A-Za-z]:[\\/]|\\\\)/.test(path) ? ';' : ':';
}

/** Where an environment came from. */
function sourceOf({ source, shell }: PathInfo): string {
  switch (source) {
    case 'inherited':
      return 'Inherited from the process that started Patchbay';
    case 'loginShell':
      return shell === null ? 'From the login shell' : `From the login shell ${shell}`;
    case 'chosenShell':
      return `From ${shell ?? 'the shell of the settings'}`;
  }
}
