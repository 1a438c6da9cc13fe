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
import type { ExchangeStatus } from '../../../model/exchange/exchange';
import classes from './result.module.css';

interface Look {
  words: string;
  icon: Icon;
  tone: 'ok' | 'warn' | 'error' | 'off';
}

const LOOKS: Record<Exclude<ExchangeStatus, 'running'>, Look> = {
  ok: { words: 'Result', icon: IconCircleCheck, tone: 'ok' },
  toolError: { words: 'Tool error', icon: IconExclamationCircle, tone: 'warn' },
  rpcError: { words: 'JSON-RPC error', icon: IconAlertCircle, tone: 'error' },
  httpStatus: { words: 'HTTP error', icon: IconAlertCircle, tone: 'error' },
  task: { words: 'Task created', icon: IconCircleCheck, tone: 'ok' },
  inputRequired: { words: 'Input required', icon: IconMessageQuestion, tone: 'warn' },
  timedOut: { words: 'Timed out', icon: IconClockX, tone: 'error' },
  cancelled: { words: 'Cancelled', icon: IconHandStop, tone: 'off' },
  cancelledByServer: { words: 'Cancelled by server', icon: IconHandStop, tone: 'error' },
  invalidResult: { words: 'Invalid result', icon: IconAlertCircle, tone: 'error' },
  lost: { words: 'Connection lost', icon: IconPlugConnectedX, tone: 'error' },
  notSent: { words: 'Not sent', icon: IconBan, tone: 'error' },
};

/** The status in words. */
export function statusWords(status: ExchangeStatus): string {
  return status === 'running' ? 'Running' : LOOKS[status].words;
}

export function statusTone(status: ExchangeStatus): Look['tone'] {
  return status === 'running' ? 'warn' : LOOKS[status].tone;
}

export function StatusGlyph({ status }: { status: ExchangeStatus }) {
  if (status === 'running') return <Loader size={14} role="img" aria-label="Running" />;
  const { icon: Glyph, tone } = LOOKS[status];
  return <Glyph size={16} className={classes.glyph} data-tone={tone} aria-hidden />;
}
