import { useRef, useState } from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';
import type { AuthorizationStep, RunId, RunItem, ServerId } from '../../../contract/generated';
import { stepToShow } from '../../../model/authorization/authorizationWords';
import { useModel, useUi } from '../../../model/workspace/context';
import { useLayout } from '../../../model/workspace/useLayout';
import { Segments } from '../../../widgets/controls/Segments';
import { Sequence } from './Sequence';
import { StepDetail } from './StepDetail';
import { Stepper } from './Stepper';
import { TokenView } from '../token/TokenView';
import classes from '../authorization.module.css';
import { useSide } from '../useSide';

interface RunViewProps {
  serverId: ServerId;
  run: RunItem;
  /** The URL of the server. */
  serverUrl: string;
}

/** A run: its steps, the selected one, and next to it all exchanges or the token. */
export function RunView({ serverId, run, serverUrl }: RunViewProps) {
  const side = useSide();
  /** The user's choice; without one in this run, the view follows the run. */
  const [chosen, setChosen] = useState<{ runId: RunId; step: AuthorizationStep } | null>(null);
  const layout = useLayout('authorization', ['steps', 'step', 'side']);
  const detail = useRef<HTMLDivElement>(null);
  const current = stepToShow(run);
  const chosenStep = chosen?.runId === run.id ? chosen.step : null;
  const shown = run.steps.find(({ step }) => step === chosenStep) ?? current;
  const choose = (step: AuthorizationStep): void => {
    // Back at the current step, the view follows the run again.
    setChosen(step === current?.step ? null : { runId: run.id, step });
  };

  return (
    <Group orientation="horizontal" className={classes.columns} {...layout}>
      <Panel id="steps" defaultSize="22%" minSize="150px">
        <Stepper
          run={run}
          shown={shown?.step ?? null}
          onShow={choose}
          onOpen={() => detail.current?.querySelector<HTMLElement>('button, input, a')?.focus()}
        />
      </Panel>
      {!(side.isOpen && side.isAlone) && (
        <>
          <Separator className="pb-separator" />
          <Panel id="step" minSize="320px">
            <div ref={detail} className={classes.fill}>
              {shown !== undefined && <StepDetail key={run.id} serverId={serverId} run={run} step={shown} />}
            </div>
          </Panel>
        </>
      )}
      {side.isOpen && (
        <>
          <Separator className="pb-separator" />
          <Panel id="side" defaultSize={side.isAlone ? undefined : '42%'} minSize="380px">
            <Side
              serverId={serverId}
              run={run}
              serverUrl={serverUrl}
              shown={shown?.step ?? null}
              onShow={choose}
            />
          </Panel>
        </>
      )}
    </Group>
  );
}

interface SideProps extends RunViewProps {
  shown: AuthorizationStep | null;
  onShow: (step: AuthorizationStep) => void;
}

function Side({ serverId, run, serverUrl, shown, onShow }: SideProps) {
  const { ui } = useModel();
  const part = useUi(({ authorizationPart }) => authorizationPart);
  return (
    <section className={classes.side} aria-label={part === 'sequence' ? 'Sequence' : 'Token and scopes'}>
      <div className={classes.sideBar}>
        <Segments
          label="Side view"
          wide
          value={part}
          onChange={(authorizationPart) => ui.setState({ authorizationPart })}
          segments={[
            { value: 'sequence', label: 'Sequence' },
            { value: 'token', label: 'Token' },
          ]}
        />
      </div>
      <div className={classes.sideBody}>
        {part === 'sequence' ? (
          <Sequence run={run} serverUrl={serverUrl} shown={shown} onShow={onShow} />
        ) : (
          <TokenView serverId={serverId} />
        )}
      </div>
    </section>
  );
}
