import { Button } from '@mantine/core';
import { useMemo } from 'react';
import type { ExchangeOutcome, FailureItem, Seq, ServerId, TaskItem } from '../../../contract/generated';
import { ContentServer } from '../../../content/links/contentServer';
import { requiredUrls } from '../../../model/inbox/elicitation/urlRequest';
import { useModel } from '../../../model/workspace/context';
import { formatDuration } from '../../../model/text/format';
import { CodeView } from '../../../widgets/code/CodeView';
import { IndentedJson } from '../../../widgets/code/IndentedJson';
import { RecordLink } from '../../../widgets/links/RecordLink';
import { Banner } from './Banner';
import { RequiredUrls } from './RequiredUrls';
import { ResultContent } from './ResultContent';
import classes from './result.module.css';

interface OutcomeViewProps {
  outcome: ExchangeOutcome;
  /** What the request is about (a tool, a method); saved files are named after it. */
  name: string;
  /** The server that was asked. */
  serverId: ServerId;
  /** The record of the request, where it is known. */
  requestSeq?: Seq | null;
  /** Sends the request again. */
  onAgain?: () => void;
}

/** How a request ended, with the content of its result. */
export function OutcomeView({ outcome, name, serverId, requestSeq = null, onAgain }: OutcomeViewProps) {
  switch (outcome.type) {
    case 'result':
      return (
        <ContentServer value={serverId}>
          <ResultContent view={outcome.view} raw={outcome.raw} name={name} />
        </ContentServer>
      );
    case 'rpcError':
      return <RpcError {...outcome} serverId={serverId} requestSeq={requestSeq} onAgain={onAgain} />;
    case 'inputRequired':
      return (
        <>
          <Banner tone="warn" title="The server requires more input">
            The result is input_required. {outcome.reason}
          </Banner>
          <div className={classes.rest}>
            <CodeView body={outcome.raw} form="pretty" height="fill" label="Input required" />
          </div>
        </>
      );
    case 'task':
      return <TaskMade task={outcome.task} />;
    case 'httpStatus':
      return (
        <Banner tone="error" title={`HTTP status ${outcome.status}`}>
          {outcome.message}
          <span className={classes.bannerHint}>
            {outcome.mayHaveRun ? 'The request may have run.' : 'The request did not run.'}
            {outcome.httpSeq !== null && <RecordLink seq={outcome.httpSeq} label="HTTP exchange" />}
          </span>
        </Banner>
      );
    case 'timedOut':
      return (
        <Banner tone="error" title={`No response within ${formatDuration(outcome.afterMs)}`}>
          The request was cancelled. It may still have run. Change the timeout in the server settings, or in
          Call options or Request options.
        </Banner>
      );
    case 'cancelled':
      return (
        <Banner tone="off" title="Cancelled by you">
          The server was told that the request is cancelled. Work already done is not undone.
        </Banner>
      );
    case 'cancelledByServer':
      return (
        <Banner tone="error" title="Cancelled by the server">
          {outcome.reason ?? 'The server ended the request without a response.'}
        </Banner>
      );
    case 'invalidResult':
      return (
        <>
          <Banner tone="error" title="The result is invalid">
            {outcome.reason}
          </Banner>
          <div className={classes.rest}>
            <CodeView body={outcome.raw} form="pretty" height="fill" label="Result" />
          </div>
        </>
      );
    case 'connectionLost':
      return <Lost {...outcome} />;
    case 'notSent':
      return (
        <Banner tone="error" title="Nothing was sent">
          {outcome.message}
        </Banner>
      );
  }
}

function TaskMade({ task }: { task: TaskItem }) {
  const { ui, workspace } = useModel();
  const show = (): void => {
    const { selectedServer } = ui.getState();
    if (selectedServer !== null) {
      workspace.setState(({ selectedTasks }) => ({
        selectedTasks: { ...selectedTasks, [selectedServer]: task.taskId },
      }));
    }
    ui.setState({ exploreTab: 'tasks' });
  };
  return (
    <Banner tone="ok" title={`Task created: ${task.status}`}>
      <span>
        {task.statusMessage ?? 'The server runs it in the background.'} <code>{task.taskId}</code>
      </span>
      <span className={classes.bannerHint}>
        <Button variant="default" size="compact-xs" onClick={show}>
          Show in Tasks
        </Button>
      </span>
    </Banner>
  );
}

function RpcError({
  code,
  message,
  meaning,
  advice,
  dataJson,
  serverId,
  requestSeq,
  onAgain,
}: Extract<ExchangeOutcome, { type: 'rpcError' }> & {
  serverId: ServerId;
  requestSeq: Seq | null;
  onAgain: (() => void) | undefined;
}) {
  const urls = useMemo(() => requiredUrls(code, dataJson), [code, dataJson]);
  return (
    <>
      <Banner tone="error" title={`JSON-RPC error ${code}${meaning === null ? '' : `: ${meaning}`}`}>
        {message !== meaning && <span className={classes.pre}>{message}</span>}
        <span className={classes.bannerHint}>
          {advice ?? 'The server rejected the request or failed while running it.'}
        </span>
      </Banner>
      {urls.length > 0 && onAgain !== undefined && (
        <RequiredUrls serverId={serverId} requests={urls} requestSeq={requestSeq} onAgain={onAgain} />
      )}
      {dataJson !== null && (
        <>
          <h3 className={classes.heading}>data</h3>
          <IndentedJson text={dataJson} label="Error data" />
        </>
      )}
    </>
  );
}

function Lost({ failure, mayHaveRun }: { failure: FailureItem; mayHaveRun: boolean }) {
  return (
    <Banner tone="error" title="Connection lost before a response arrived">
      <span>
        {failure.step}: {failure.cause}
      </span>
      <span className={classes.bannerHint}>
        {mayHaveRun ? 'The request may have run.' : 'The request did not run.'} {failure.next}
        {failure.seq !== null && <RecordLink seq={failure.seq} label={`#${failure.seq}`} />}
      </span>
      {failure.detail !== null && <pre className={classes.detail}>{failure.detail}</pre>}
    </Banner>
  );
}
