import {
  IconCircle,
  IconCircleCheckFilled,
  IconCircleDashed,
  IconCircleOff,
  IconCircleX,
  IconLoader2,
  type Icon,
} from '@tabler/icons-react';
import { Badge } from '@mantine/core';
import type { ConnectionState, Era, ServerItem } from '../../contract/generated';
import classes from './ConnectionStatus.module.css';

const STATES: Record<ConnectionState, { icon: Icon; word: string; color: string; busy?: boolean }> = {
  idle: { icon: IconCircle, word: 'Not connected', color: 'var(--pb-off)' },
  connecting: { icon: IconLoader2, word: 'Connecting', color: 'var(--pb-warn)', busy: true },
  authorizing: { icon: IconLoader2, word: 'Authorizing', color: 'var(--pb-warn)', busy: true },
  negotiating: { icon: IconLoader2, word: 'Negotiating', color: 'var(--pb-warn)', busy: true },
  ready: { icon: IconCircleCheckFilled, word: 'Ready', color: 'var(--pb-ok)' },
  closing: { icon: IconCircleDashed, word: 'Closing', color: 'var(--pb-off)', busy: true },
  closed: { icon: IconCircle, word: 'Closed', color: 'var(--pb-off)' },
  failed: { icon: IconCircleX, word: 'Failed', color: 'var(--pb-error)' },
};

/** The word for a state. */
export function stateWord(state: ConnectionState): string {
  return STATES[state].word;
}

/** Whether a server is shown as disabled; one that is still being disconnected is not. */
export function isShownDisabled({ draft, connection: { state } }: ServerItem): boolean {
  return draft.disabled === true && state !== 'closing';
}

/** The word for a server: its state, or that it is disabled. */
export function serverWord(server: ServerItem): string {
  return isShownDisabled(server) ? 'Disabled' : stateWord(server.connection.state);
}

/** The glyph of a disabled server, in place of its state. */
export function DisabledGlyph({ size = 14 }: { size?: number }) {
  return <IconCircleOff size={size} color="var(--pb-off)" aria-label="Disabled" className={classes.still} />;
}

/** A state as a glyph with a colour and a shape. */
export function StateGlyph({ state, size = 14 }: { state: ConnectionState; size?: number }) {
  const { icon: Glyph, word, color, busy } = STATES[state];
  return (
    <Glyph size={size} color={color} aria-label={word} className={busy ? classes.busy : classes.still} />
  );
}

interface EraBadgeProps {
  era: Era;
  /** The negotiated revision; shown next to the era, or only in the tooltip. */
  revision: string | null;
  withRevision?: boolean;
}

/** Which era a connection speaks. */
export function EraBadge({ era, revision, withRevision = false }: EraBadgeProps) {
  const what =
    era === 'modern' ? 'Modern era: stateless, server/discover' : 'Legacy era: initialize, sessions';
  return (
    <Badge
      color="gray"
      variant="default"
      className={classes.badge}
      data-tip={revision === null ? what : `${what} · revision ${revision}`}
    >
      {era}
      {withRevision && revision !== null && ` · ${revision}`}
    </Badge>
  );
}
