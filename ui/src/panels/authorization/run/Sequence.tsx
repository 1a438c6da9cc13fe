import { useEffect, useRef } from 'react';
import type { AuthorizationStep, RunItem } from '../../../contract/generated';
import { stepName } from '../../../model/authorization/authorizationWords';
import { useReveal } from '../../../model/workspace/context';
import {
  type Arrow,
  type Band,
  LANES,
  type Lane,
  bandsOf,
  hostsOf,
} from '../../../model/authorization/sequence';
import { EmptyState } from '../../../widgets/layout/EmptyState';
import { StepGlyph, statusColor } from '../../../widgets/status/StepGlyph';
import classes from './Sequence.module.css';
import { STEP_STATUSES, VERDICT_STATUSES } from './statuses';

interface SequenceProps {
  run: RunItem;
  serverUrl: string;
  /** The selected step, which is scrolled into view. */
  shown: AuthorizationStep | null;
  onShow: (step: AuthorizationStep) => void;
}

const NAMES: Record<Lane, string> = {
  browser: 'Browser',
  patchbay: 'Patchbay',
  server: 'MCP server',
  issuer: 'Authorization server',
};

/** Where the middle of a lane is, in percent of the width: most texts begin at Patchbay, and go to the right of it. */
const MIDDLES: Record<Lane, number> = { browser: 9, patchbay: 27, server: 54, issuer: 86 };

/** All exchanges of a run between the four parties, from top to bottom. */
export function Sequence({ run, serverUrl, shown, onShow }: SequenceProps) {
  const bands = bandsOf(run, serverUrl);
  const hosts = hostsOf(run, serverUrl);
  const host: Partial<Record<Lane, string | null>> = hosts;
  return (
    <div className={classes.scroller}>
      <div className={classes.diagram}>
        <div className={classes.heads}>
          {LANES.map((lane) => (
            <div key={lane} className={classes.head}>
              <span>{NAMES[lane]}</span>
              <span className={`${classes.host} pb-mono pb-ellipsis`} data-tip={host[lane] ?? undefined}>
                {host[lane] ?? ''}
              </span>
            </div>
          ))}
        </div>
        {bands.length === 0 ? (
          <div className={classes.none}>
            <EmptyState title="No exchanges yet" />
          </div>
        ) : (
          <div>
            {bands.map((band) => (
              <Part key={band.step} band={band} isShown={band.step === shown} onShow={onShow} />
            ))}
          </div>
        )}
      </div>
      {bands.some(({ arrows }) => arrows.some(({ kind }) => kind === 'unseen')) && (
        <p className={classes.legend}>
          Dotted: between the browser and the authorization server, not visible to Patchbay.
        </p>
      )}
    </div>
  );
}

interface PartProps {
  band: Band;
  isShown: boolean;
  onShow: (step: AuthorizationStep) => void;
}

function Part({ band, isShown, onShow }: PartProps) {
  const part = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isShown) part.current?.scrollIntoView({ block: 'nearest' });
  }, [isShown]);
  return (
    <div
      ref={part}
      className={classes.part}
      role="group"
      aria-label={stepName(band.step)}
      data-shown={isShown || undefined}
    >
      {LANES.map((lane) => (
        <span key={lane} className={classes.life} style={{ left: `${MIDDLES[lane]}%` }} aria-hidden />
      ))}
      <button type="button" className={classes.step} onClick={() => onShow(band.step)}>
        <StepGlyph status={STEP_STATUSES[band.state]} size={13} />
        {stepName(band.step)}
      </button>
      {band.arrows.map((arrow) => (
        <Line key={arrow.key} arrow={arrow} />
      ))}
    </div>
  );
}

function Line({ arrow }: { arrow: Arrow }) {
  const reveal = useReveal();
  const { from, to, text, words, url, seq, verdict, kind, isPending } = arrow;
  const start = MIDDLES[from];
  const end = MIDDLES[to];
  const left = Math.min(start, end);
  const style = { left: `${left}%`, width: `${Math.abs(end - start)}%` };
  const isAnswer = verdict !== null && kind === 'recorded';
  const color = isAnswer ? statusColor(VERDICT_STATUSES[verdict]) : undefined;
  const content = (
    <>
      <span className={classes.text} style={{ paddingLeft: `calc(${left}% + 8px)` }}>
        <span className="pb-mono" style={{ color }}>
          {text}
        </span>
        {words !== '' && <span className={classes.words}>{words}</span>}
      </span>
      <span
        className={classes.arrow}
        style={style}
        data-back={end < start || undefined}
        data-kind={kind}
        data-answer={isAnswer || undefined}
        data-pending={isPending || undefined}
        aria-hidden
      >
        <svg viewBox="0 0 8 10" className={classes.tip}>
          <path d={end < start ? 'M8 0 L0 5 L8 10 Z' : 'M0 0 L8 5 L0 10 Z'} />
        </svg>
      </span>
    </>
  );
  const label = `${NAMES[from]} to ${NAMES[to]}: ${text} ${words}`.trim();
  if (seq === null) {
    return (
      <div className={classes.line} data-tip={url === '' ? undefined : url}>
        {content}
      </div>
    );
  }
  return (
    <button
      type="button"
      className={classes.line}
      aria-label={label}
      data-tip={`${url} · record ${seq} in the traffic log`}
      onClick={() => reveal(seq)}
    >
      {content}
    </button>
  );
}
