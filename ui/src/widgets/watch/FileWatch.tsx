import { Button } from '@mantine/core';
import { useState } from 'react';
import type { BuildItem, FileWatchItem, FileWatchState, ServerItem } from '../../contract/generated';
import {
  changedInWords,
  fileWatchInSentences,
  fileWatchLook,
} from '../../model/servers/fileWatch/fileWatchWords';
import { commandLine } from '../../model/servers/serverForm';
import { useFileWatch } from '../../model/servers/fileWatch/useFileWatch';
import { formatCount, formatDuration, formatSize } from '../../model/text/format';
import { type FileWatchAction, useActions } from '../../model/workspace/actions';
import { Elapsed } from '../status/RecordStatus';
import { StepGlyph } from '../status/StepGlyph';
import { BuildOutput } from './BuildOutput';
import classes from './FileWatch.module.css';

interface FileWatchProps {
  server: ServerItem;
  item: FileWatchItem;
}

/** A server that is restarted when its files change: what happens, its last build and what that printed. */
export function FileWatch({ server, item }: FileWatchProps) {
  const actions = useActions();
  const details = useFileWatch(server.id);
  const { state } = item;
  const changed = changedInWords(item);
  const now = nowWords(state, server.draft.fileWatch?.build !== undefined);
  const act = (action: FileWatchAction) => () => void actions.fileWatch(server.id, action);
  return (
    <div className={classes.watch} role="group" aria-label="Restart when files change">
      <div className={classes.head}>
        <span className={classes.glyph}>
          <StepGlyph status={fileWatchLook(state).status} />
        </span>
        <p role="status">{fileWatchInSentences(item)}</p>
        {state.type === 'building' && (
          // Not for a screen reader: it would read ten numbers a second.
          <span className={classes.dim} aria-hidden>
            <Elapsed sinceAtMs={state.sinceAtMs} />
          </span>
        )}
        <span className={classes.buttons}>
          {now !== null && (
            <Button size="compact-sm" variant="default" onClick={act('restart')}>
              {now}
            </Button>
          )}
          {state.type === 'stopped' ? (
            <Button size="compact-sm" variant="default" onClick={act('start')}>
              Watch again
            </Button>
          ) : (
            <Button size="compact-sm" variant="default" onClick={act('stop')}>
              {state.type === 'building' ? 'Stop build and watching' : 'Stop watching'}
            </Button>
          )}
        </span>
      </div>
      {details !== undefined && details.paths.length > 0 && (
        <p className={`${classes.dim} ${classes.line} pb-selectable`}>
          Watched: <span className="pb-mono">{details.paths.join(', ')}</span>
          {details.folders !== null && ` · ${formatCount(details.folders, 'folder')}`}
        </p>
      )}
      {changed !== null && (
        <p className={`${classes.dim} ${classes.line} pb-selectable`}>
          Changed last: <span className="pb-mono">{changed}</span>
        </p>
      )}
      {details?.build && <Build key={details.build.beganAtMs} build={details.build} />}
    </div>
  );
}

/** The button that does not wait; null where there is nothing to wait for. */
function nowWords({ type }: FileWatchState, hasBuild: boolean): string | null {
  switch (type) {
    case 'starting':
    case 'building':
    case 'restarting':
    case 'stopped':
      return null;
    case 'buildFailed':
      return 'Run again';
    case 'waitingForCalls':
      return 'Restart now';
    case 'watching':
    case 'settling':
    case 'busy':
    case 'looping':
    case 'missing':
    case 'failed':
      return hasBuild ? 'Build and restart' : 'Restart now';
  }
}

function Build({ build }: { build: BuildItem }) {
  const { end, output, droppedBytes, setAside, setAsidePaths } = build;
  const isOfInterest = end === null || !end.succeeded;
  const [choice, setChoice] = useState<boolean | null>(null);
  const open = choice ?? isOfInterest;
  const more = setAside - setAsidePaths.length;
  return (
    <section className={classes.build} aria-label="Last build">
      <p className={`${classes.line} pb-selectable`}>
        <span className="pb-mono">{commandLine(build.command, build.args)}</span>
        {end !== null && (
          <>
            {' · '}
            <span className={end.succeeded ? undefined : classes.failed}>{end.words}</span>
            {` · ${formatDuration(end.durationMs)}`}
          </>
        )}
      </p>
      {setAside > 0 && (
        <p className={`${classes.dim} ${classes.line} pb-selectable`}>
          Build output: <span className="pb-mono">{setAsidePaths.join(', ')}</span>
          {more > 0 && ` and ${formatCount(more)} more`}
        </p>
      )}
      {output === '' ? (
        end !== null && <p className={classes.dim}>No output.</p>
      ) : (
        <>
          <Button
            size="compact-xs"
            variant="subtle"
            color="gray"
            aria-expanded={open}
            style={{ alignSelf: 'flex-start', marginLeft: -8 }}
            onClick={() => setChoice(!open)}
          >
            {open ? 'Hide output' : 'Show output'}
          </Button>
          {open && droppedBytes > 0 && (
            <p className={classes.dim}>The first {formatSize(droppedBytes)} are not kept.</p>
          )}
          {open && <BuildOutput text={output} />}
        </>
      )}
    </section>
  );
}
