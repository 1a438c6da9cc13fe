import { Loader } from '@mantine/core';
import {
  IconAlertCircle,
  IconBan,
  IconCircleCheck,
  IconClockX,
  IconExclamationCircle,
  IconHandStop,
  IconMessageQuestion,
  IconPlugConnectedX,
  type Icon,
} from '@tabler/icons-react';
import type { CallStanding } from '../../../model/tools/toolCall';
import classes from './result.module.css';

interface Look {
  words: string;
  icon: Icon;
  tone: 'ok' | 'warn' | 'error' | 'off';
}

const LOOKS: Record<Exclude<CallStanding, 'running'>, Look> = {
  ok: { words: 'Result', icon: IconCircleCheck, tone: 'ok' },
  toolError: { words: 'Tool error', icon: IconExclamationCircle, tone: 'warn' },
  rpcError: { words: 'JSON-RPC error', icon: IconAlertCircle, tone: 'error' },
  httpStatus: { words: 'HTTP error', icon: IconAlertCircle, tone: 'error' },
  task: { words: 'Task made', icon: IconCircleCheck, tone: 'ok' },
  inputRequired: { words: 'Input required', icon: IconMessageQuestion, tone: 'warn' },
  timedOut: { words: 'Timed out', icon: IconClockX, tone: 'error' },
  cancelled: { words: 'Cancelled', icon: IconHandStop, tone: 'off' },
  lost: { words: 'Connection lost', icon: IconPlugConnectedX, tone: 'error' },
  notSent: { words: 'Not sent', icon: IconBan, tone: 'error' },
};

/** How a call stands, in words. */
export function standingWords(standing: CallStanding): string {
  return standing === 'running' ? 'Running' : LOOKS[standing].words;
}

export function standingTone(standing: CallStanding): Look['tone'] {
  return standing === 'running' ? 'warn' : LOOKS[standing].tone;
}

export function StandingGlyph({ standing }: { standing: CallStanding }) {
  if (standing === 'running') return <Loader size={14} aria-label="Running" />;
  const { icon: Glyph, tone } = LOOKS[standing];
  return <Glyph size={16} className={classes.glyph} data-tone={tone} aria-hidden />;
}
