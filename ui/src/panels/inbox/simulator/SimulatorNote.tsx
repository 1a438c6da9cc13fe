import { Button } from '@mantine/core';
import { IconFlask } from '@tabler/icons-react';
import { useState } from 'react';
import type { CommandError, InputItem } from '../../../contract/generated';
import { heldWords } from '../../../model/servers/simulator';
import { commandError } from '../../../model/store/errors';
import { useModel } from '../../../model/workspace/context';
import { CommandAlert } from '../../../widgets/failure/CommandAlert';
import { LinkButton } from '../../../widgets/links/LinkButton';
import { Remaining } from '../../../widgets/status/RecordStatus';
import classes from './SimulatorNote.module.css';

/** What the simulator does with a pending request, and how to take it over; or why it did not answer. */
export function SimulatorNote({ item }: { item: InputItem }) {
  const { inputs } = useModel();
  const [error, setError] = useState<CommandError | null>(null);
  const { simulated, proposal } = item;
  if (simulated === undefined) {
    // A proposal for sampling is shown with its request.
    if (proposal === undefined || item.kind === 'sampling') return null;
    return (
      <div className={classes.note} role="status">
        <IconFlask size={16} aria-hidden />
        <span>{proposal.reason}</span>
      </div>
    );
  }
  const takeOver = (): void => {
    setError(null);
    inputs.takeOver(item.id).catch((thrown: unknown) => setError(commandError(thrown)));
  };
  return (
    <>
      <div className={classes.note} role="status">
        <IconFlask size={16} aria-hidden />
        <span>
          {heldWords(simulated)}.
          {simulated.answersAtMs !== null && (
            // A screen reader would read ten numbers a second.
            <span className="pb-num" aria-hidden>
              {' '}
              Answers in <Remaining untilAtMs={simulated.answersAtMs} />.
            </span>
          )}
        </span>
        <Button size="compact-sm" variant="default" onClick={takeOver}>
          Take over
        </Button>
      </div>
      {error !== null && <CommandAlert error={error} inPane />}
    </>
  );
}

/** The way to the simulator of the server that sent a request. */
export function SimulatorLink({ item }: { item: InputItem }) {
  const { workspace } = useModel();
  return (
    <LinkButton
      data-tip="Answer requests of this kind automatically, to test how the server handles them"
      onClick={() => workspace.setState({ dialog: { type: 'simulator', serverId: item.serverId } })}
    >
      Simulator…
    </LinkButton>
  );
}
