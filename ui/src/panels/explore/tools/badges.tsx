import {
  IconAlertCircle,
  IconAlertTriangle,
  IconAppWindow,
  IconBan,
  IconBraces,
  IconClockPause,
  IconEye,
  IconInfoCircle,
  IconRepeat,
  IconTrashX,
  IconWorld,
  type Icon,
} from '@tabler/icons-react';
import type { ToolItem } from '../../../contract/generated';
import { type Weight, heaviest } from '../../../model/connection/problems/weight';
import { formatCount } from '../../../model/text/format';
import classes from './tools.module.css';

interface BadgeFact {
  key: string;
  icon: Icon;
  word: string;
  tooltip: string;
  tone?: 'warn' | 'error' | 'ok';
}

const PROBLEM_ICONS: Record<Weight, Icon> = {
  error: IconAlertCircle,
  warning: IconAlertTriangle,
  info: IconInfoCircle,
};

const UNTRUSTED = 'Declared by the server; not verified.';

/** The hints of a tool, what it supports, and its problems. */
function factsOf({ app, hints, taskSupport, hasOutputSchema, violations, excluded }: ToolItem): BadgeFact[] {
  const facts: BadgeFact[] = [];
  if (excluded !== null) {
    facts.push({
      key: 'excluded',
      icon: IconBan,
      word: 'excluded',
      tooltip: `Must not be called: ${excluded}`,
      tone: 'error',
    });
  }
  if (app !== null && !app.forModels) {
    facts.push({
      key: 'appOnly',
      icon: IconAppWindow,
      word: 'app only',
      tooltip: 'Only apps of this server can call it; it is not offered to models.',
      tone: 'warn',
    });
  } else if (app?.resourceUri !== undefined && app.resourceUri !== null) {
    facts.push({
      key: 'app',
      icon: IconAppWindow,
      word: 'app',
      tooltip: `Results are shown in the app ${app.resourceUri}.`,
    });
  }
  if (hints.readOnly === true) {
    facts.push({
      key: 'read',
      icon: IconEye,
      word: 'read-only',
      tooltip: `Does not modify its environment. ${UNTRUSTED}`,
      tone: 'ok',
    });
  }
  if (hints.destructive === true) {
    facts.push({
      key: 'destructive',
      icon: IconTrashX,
      word: 'destructive',
      tooltip: `May delete or overwrite data. Patchbay asks before calling it. ${UNTRUSTED}`,
      tone: 'error',
    });
  }
  if (hints.idempotent === true) {
    facts.push({
      key: 'idempotent',
      icon: IconRepeat,
      word: 'idempotent',
      tooltip: `Calling it again with the same arguments has no further effect. ${UNTRUSTED}`,
    });
  }
  if (hints.openWorld === true) {
    facts.push({
      key: 'open',
      icon: IconWorld,
      word: 'open world',
      tooltip: `Interacts with external systems. ${UNTRUSTED}`,
    });
  }
  if (taskSupport !== null) {
    facts.push({
      key: 'task',
      icon: IconClockPause,
      word: taskSupport === 'required' ? 'task required' : 'task',
      tooltip: taskSupport === 'required' ? 'Can only run as a task.' : 'Can also run as a task.',
    });
  }
  if (hasOutputSchema) {
    facts.push({
      key: 'output',
      icon: IconBraces,
      word: 'output schema',
      tooltip: 'Results are checked against the declared output schema.',
    });
  }
  if (violations.length > 0) {
    const weight = heaviest(violations);
    facts.push({
      key: 'problems',
      icon: PROBLEM_ICONS[weight],
      word: formatCount(violations.length, weight === 'info' ? 'note' : 'problem'),
      tooltip: violations
        .slice(0, 3)
        .map(({ message }) => message)
        .join(' · '),
      ...(weight !== 'info' && { tone: weight === 'error' ? ('error' as const) : ('warn' as const) }),
    });
  }
  return facts;
}

/** The facts as glyphs, for a row of the list. */
export function ToolGlyphs({ item }: { item: ToolItem }) {
  return (
    <span className={classes.glyphs}>
      {factsOf(item).map(({ key, icon: Glyph, word, tooltip, tone }) => (
        <Glyph
          key={key}
          size={14}
          data-tip={`${word}: ${tooltip}`}
          data-tone={tone}
          role="img"
          aria-label={word}
        />
      ))}
    </span>
  );
}

/** The facts as words, for the heading of the tool. */
export function ToolBadges({ item }: { item: ToolItem }) {
  return (
    <span className={classes.badges}>
      {factsOf(item).map(({ key, icon: Glyph, word, tooltip, tone }) => (
        <span key={key} className={classes.badge} data-tip={`${word}: ${tooltip}`} data-tone={tone}>
          <Glyph size={12} aria-hidden />
          <span data-word>{word}</span>
        </span>
      ))}
    </span>
  );
}
