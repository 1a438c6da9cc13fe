import { Button } from '@mantine/core';
import type {
  ExchangeOutcome,
  FailureItem,
  TaskItem,
  ToolResultView,
} from '../../../contract/generated/contract';
import { useModel } from '../../../model/workspace/context';
import { formatDuration } from '../../../model/text/format';
import { indentJson } from '../../../model/text/json';
import { CodeText, CodeView } from '../../../widgets/code/CodeView';
import { RecordLink } from '../../../widgets/links/RecordLink';
import { Violations } from '../../../widgets/status/Violations';
import { Banner } from './Banner';
import { ContentView } from '../../../content/ContentView';
import { StructuredResult } from '../../../content/StructuredResult';
import classes from './result.module.css';

/** How a call ended, in words and content. */
export function OutcomeView({ outcome, tool }: { outcome: ExchangeOutcome; tool: string }) {
  switch (outcome.type) {
    case 'result':
      if (outcome.tool !== null) return <ToolResult view={outcome.tool} tool={tool} />;
      return <CodeView body={outcome.raw} form="pretty" height="fill" label="Result" />;
    case 'rpcError':
      return <RpcError {...outcome} />;
    case 'inputRequired':
      return (
        <>
          <Banner tone="warn" title="The server wants input before it goes on">
            It answered with input_required. {outcome.reason} This is what it asked for.
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
        <Banner tone="error" title={`The server answered with HTTP status ${outcome.status}`}>
          {outcome.message}
          <span className={classes.bannerHint}>
            {outcome.mayHaveRun ? 'The request may have been carried out.' : 'It was not carried out.'}
            {outcome.httpSeq !== null && <RecordLink seq={outcome.httpSeq} label="HTTP exchange" />}
          </span>
        </Banner>
      );
    case 'timedOut':
      return (
        <Banner tone="error" title={`No answer within ${formatDuration(outcome.afterMs)}`}>
          The server was told that the call is cancelled; it may have run all the same. The time-out can be
          set in the call options.
        </Banner>
      );
    case 'cancelled':
      return (
        <Banner tone="off" title="Cancelled by you">
          The server was told to stop; what it had done until then stays done.
        </Banner>
      );
    case 'connectionLost':
      return <Lost failure={outcome.failure} />;
    case 'notSent':
      return (
        <Banner tone="error" title="Nothing was sent">
          {outcome.message}
        </Banner>
      );
  }
}

function TaskMade({ task }: { task: TaskItem }) {
  const { ui } = useModel();
  return (
    <Banner tone="ok" title={`The server made a task: ${task.status}`}>
      <span>
        {task.statusMessage ?? 'It works on it in its own time.'} <code>{task.taskId}</code>
      </span>
      <span className={classes.bannerHint}>
        <Button variant="default" size="compact-xs" onClick={() => ui.setState({ exploreTab: 'tasks' })}>
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
}: Extract<ExchangeOutcome, { type: 'rpcError' }>) {
  return (
    <>
      <Banner tone="error" title={`JSON-RPC error ${code}${meaning === null ? '' : `: ${meaning}`}`}>
        {message !== meaning && <span className={classes.pre}>{message}</span>}
        <span className={classes.bannerHint}>
          {advice ?? 'The request itself was refused; the tool did not run to an end.'}
        </span>
      </Banner>
      {dataJson !== null && (
        <>
          <h3 className={classes.heading}>data</h3>
          <CodeText text={indentJson(dataJson)} language="json" label="Error data" />
        </>
      )}
    </>
  );
}

function Lost({ failure }: { failure: FailureItem }) {
  return (
    <Banner tone="error" title="The connection was lost before an answer came">
      <span>
        {failure.step}: {failure.cause}
      </span>
      <span className={classes.bannerHint}>{failure.next}</span>
      {failure.detail !== null && <pre className={classes.detail}>{failure.detail}</pre>}
    </Banner>
  );
}

function ToolResult({ view, tool }: { view: ToolResultView; tool: string }) {
  const { isError, content, structured, structuredMissing, violations } = view;
  const nothing = content.length === 0 && structured === null;
  // One large text alone gets all the room there is.
  const alone = content.length === 1 && structured === null && !structuredMissing && violations.length === 0;
  return (
    <div className={alone && !isError ? classes.alone : classes.blocks}>
      {isError && (
        <Banner tone="warn" title="The tool reports an error (isError)">
          The call went through; what the tool says about its failure stands below.
        </Banner>
      )}
      {violations.length > 0 && (
        <div className={classes.violations}>
          <Violations items={violations} label="Problems of the result" />
        </div>
      )}
      {(structured !== null || structuredMissing) && (
        <StructuredResult view={structured} missing={structuredMissing} />
      )}
      {content.map((item, index) => (
        // Content blocks have no identity but their place.
        // oxlint-disable-next-line react/no-array-index-key
        <ContentView
          key={index}
          item={item}
          index={index}
          count={content.length}
          tool={tool}
          fill={alone && !isError}
        />
      ))}
      {nothing && !structuredMissing && <p className={classes.note}>The result has no content.</p>}
    </div>
  );
}
