import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import type { EnvironmentReadResponse } from '../../../contract/generated';
import { formatCount, formatDuration, formatTime } from '../../../model/text/format';
import { Fact, Facts } from '../../../widgets/facts/Facts';
import classes from './environment.module.css';

interface SourceProps {
  read: EnvironmentReadResponse;
  onReadAgain: () => void;
}

/** Where the environment came from, or why it was not read from the shell, and reading it again. */
export function Source({ read, onReadAgain }: SourceProps) {
  const { problem, shell } = read;
  return (
    <div className={classes.source}>
      {problem === null ? (
        <p className={classes.words}>
          <Words read={read} />
        </p>
      ) : (
        <Facts names={88} tone="warn">
          <Fact name="Failed at">{problem.step}</Fact>
          <Fact name="Cause">{problem.cause}</Fact>
          <Fact name="What to do">{problem.next}</Fact>
          {problem.detail !== null && (
            <Fact name="Detail" mono>
              {problem.detail}
            </Fact>
          )}
          <Fact name="Meanwhile">Programs get the environment that Patchbay was started with.</Fact>
        </Facts>
      )}
      {shell !== null && (
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconRefresh size={14} />}
          onClick={onReadAgain}
        >
          Read again
        </Button>
      )}
    </div>
  );
}

function Words({ read }: { read: EnvironmentReadResponse }) {
  const { source, shell, atMs, tookMs, variables } = read;
  const count = formatCount(variables, 'variable');
  if (source === 'inherited') return `${count}, inherited from the process that started Patchbay.`;
  const time = `read at ${formatTime(atMs)} in ${formatDuration(tookMs)}`;
  return source === 'loginShell' ? (
    <>
      {count} from the login shell <span className="pb-mono">{shell}</span>, {time}.
    </>
  ) : (
    <>
      {count} from <span className="pb-mono">{shell}</span>, {time}.
    </>
  );
}
