import { createStore, type StoreApi } from 'zustand/vanilla';
import type {
  ConnectionId,
  Seq,
  ServerId,
  ServerItem,
  TrafficRow,
  ViolationItem,
} from '../../../contract/generated';
import type { Host } from '../../../host/host';
import type { ServersStore } from '../../servers/servers';
import type { AppEvents } from '../../workspace/appEvents';
import { type Weight, weightOf } from './weight';

/** How often the records of a server are read at most, in ms: a server may violate thousands of rules a second. */
const EVERY_MS = 300;
/** How many records are read of one connection, and of each rule: what comes after is like what was read. */
const MOST_RECORDS = 1_000;
const MOST_OF_RULE = 50;
/** How many records are read at once. */
const AT_ONCE = 8;
/** The largest page of rows that the engine returns. */
const PAGE = 500;
/** How many different problems are kept of one connection. */
const MOST_PROBLEMS = 500;
/** How often violations that were counted but are not found yet are looked for. */
const TRIES = 5;

/** A violation, once for all records that have the same. */
export interface Problem {
  weight: Weight;
  rule: string;
  message: string;
  /** The newest record that was read with it. */
  seq: Seq;
  /** In how many of the read records it is. */
  count: number;
}

/** What is wrong with the messages of a server's current or last connection. */
export interface ServerProblems {
  connectionId: ConnectionId;
  /** The heaviest first. */
  problems: Problem[];
  /** Whether some of its records have yet to be read. */
  reading: boolean;
  /** Records with violations that are not read, because there are too many. */
  unread: number;
}

interface ProblemsState {
  byServer: Record<ServerId, ServerProblems>;
}

export type ProblemsStore = StoreApi<ProblemsState> & {
  /** The log of this server, or of all, was cleared. */
  forget(serverId: ServerId | null): void;
};

/** What is known of one connection. */
interface Reading {
  connectionId: ConnectionId;
  /** The read records, with their number of violations. */
  seen: Map<Seq, number>;
  problems: Map<string, Problem>;
  /** How many read records violate each rule. */
  ofRule: Map<string, number>;
  /** The number of violations that the connection had when it was last read. */
  countedAt: number;
  tries: number;
  unread: number;
  running: boolean;
  /** Whether the last attempt to read more has failed. */
  hasFailed: boolean;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** Reads the violations of every connection as they are counted. A server without violations costs nothing. */
export function createProblems(host: Host, servers: ServersStore, events: AppEvents): ProblemsStore {
  const store = createStore<ProblemsState>(() => ({ byServer: {} }));
  const readings = new Map<ServerId, Reading>();

  function publish(serverId: ServerId, reading: Reading): void {
    if (readings.get(serverId) !== reading) return;
    const problems = [...reading.problems.values()].toSorted(byWeight);
    const { connectionId, unread, running } = reading;
    store.setState(({ byServer }) => ({
      byServer: { ...byServer, [serverId]: { connectionId, problems, reading: running, unread } },
    }));
  }

  function drop(serverId: ServerId): void {
    clearTimeout(readings.get(serverId)?.timer);
    readings.delete(serverId);
    store.setState(({ byServer: { [serverId]: gone, ...byServer } }) =>
      gone === undefined ? {} : { byServer },
    );
  }

  function look({ id, connection }: ServerItem): void {
    const { connectionId, problemCount } = connection;
    let reading = readings.get(id);
    if (reading !== undefined && reading.connectionId !== connectionId) {
      drop(id);
      reading = undefined;
    }
    if (connectionId === null || problemCount === (reading?.countedAt ?? 0)) return;
    if (reading === undefined) {
      reading = newReading(connectionId);
      readings.set(id, reading);
    }
    reading.countedAt = problemCount;
    reading.tries = 0;
    if (reading.timer === undefined && !reading.running) void run(id, reading);
  }

  async function run(serverId: ServerId, reading: Reading): Promise<void> {
    const { countedAt } = reading;
    reading.running = true;
    const hasFailed = await readMore(host, reading).then(
      () => false,
      () => true,
    );
    if (readings.get(serverId) !== reading) return;
    reading.running = false;
    reading.hasFailed = hasFailed;
    const found = [...reading.seen.values()].reduce((sum, count) => sum + count, 0);
    // Counted before its record is written.
    const isBehind = reading.unread === 0 && found < reading.countedAt && reading.tries < TRIES;
    if (isBehind) reading.tries++;
    if (isBehind || reading.countedAt !== countedAt) {
      reading.timer = setTimeout(() => {
        reading.timer = undefined;
        void run(serverId, reading);
      }, EVERY_MS);
    }
    publish(serverId, reading);
  }

  servers.subscribe(({ items }, before) => {
    if (items === before.items) return;
    const ids = new Set(items?.map(({ id }) => id));
    for (const id of readings.keys()) if (!ids.has(id)) drop(id);
    for (const item of items ?? []) look(item);
  });

  events.onResync(() => {
    for (const [id, reading] of readings) {
      if (!reading.hasFailed) continue;
      reading.tries = 0;
      if (reading.timer === undefined && !reading.running) void run(id, reading);
    }
  });

  return Object.assign(store, {
    forget(serverId: ServerId | null): void {
      // A copy: each is put back, and a map goes on with what was added.
      for (const [id, reading] of Array.from(readings)) {
        if (serverId !== null && serverId !== id) continue;
        const { countedAt } = reading;
        drop(id);
        // What was counted before is no longer in the log.
        readings.set(id, { ...newReading(reading.connectionId), countedAt, tries: TRIES });
      }
    },
  });
}

function newReading(connectionId: ConnectionId): Reading {
  return {
    connectionId,
    seen: new Map(),
    problems: new Map(),
    ofRule: new Map(),
    countedAt: 0,
    tries: 0,
    unread: 0,
    running: false,
    hasFailed: false,
    timer: undefined,
  };
}

/** Reads the records that were not, until there are none or too many. */
async function readMore(host: Host, reading: Reading): Promise<void> {
  for (;;) {
    const { rows, total } = await host.call('traffic_rows', {
      filter: filterOf(reading),
      offset: 0,
      limit: PAGE,
    });
    const fresh = rows.filter(({ seq, violationCount }) => reading.seen.get(seq) !== violationCount);
    const room = MOST_RECORDS - reading.seen.size;
    const next = fresh.slice(0, Math.min(AT_ONCE, room));
    if (next.length === 0) {
      reading.unread = Math.max(0, total - rows.length, room <= 0 ? fresh.length : 0);
      return;
    }
    await Promise.all(
      next.map(async (row) => {
        const { violations } = await host.call('traffic_record', { seq: row.seq });
        add(reading, row, violations);
      }),
    );
  }
}

/** The records of a connection that violate a rule of which not enough are known, whatever else they violate. */
function filterOf({ connectionId, ofRule }: Reading): string {
  const known = [...ofRule].filter(([, count]) => count >= MOST_OF_RULE).map(([rule]) => rule);
  return `connection:${connectionId} has:violation${known.length === 0 ? '' : ` otherrule:${known.join(',')}`}`;
}

function add(
  reading: Reading,
  { seq, violationCount }: TrafficRow,
  violations: readonly ViolationItem[],
): void {
  const isNew = !reading.seen.has(seq);
  reading.seen.set(seq, violationCount);
  for (const rule of new Set(violations.map((each) => each.rule))) {
    if (isNew) reading.ofRule.set(rule, (reading.ofRule.get(rule) ?? 0) + 1);
  }
  for (const violation of violations) {
    const { rule, message } = violation;
    const key = `${rule} ${message}`;
    const known = reading.problems.get(key);
    if (known !== undefined) {
      const isNewer = BigInt(seq) > BigInt(known.seq);
      if (known.seq !== seq && isNew) known.count++;
      if (isNewer) known.seq = seq;
    } else if (reading.problems.size < MOST_PROBLEMS) {
      reading.problems.set(key, { weight: weightOf(violation), rule, message, seq, count: 1 });
    }
  }
}

const RANK: Record<Weight, number> = { error: 0, warning: 1, info: 2 };

function byWeight(one: Problem, other: Problem): number {
  return RANK[one.weight] - RANK[other.weight] || one.rule.localeCompare(other.rule);
}
