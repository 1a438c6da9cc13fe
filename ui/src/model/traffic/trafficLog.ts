import type { CommandError, Seq, TrafficDelta, TrafficRow } from '../../contract/generated';
import type { Host, StreamHandle } from '../../host/host';
import { commandError } from '../store/errors';

/** Rows are pulled in pages of this many. */
const PAGE = 200;
/** A delta with at least this many rows is part of a burst. */
const BURST_ROWS = 20;
/** The shortest interval between calls of the listeners during a burst, in ms. */
const BURST_EVERY_MS = 100;
/** The most pages kept: pages scrolled far away from are pulled again. */
const KEEP_PAGES = 60;

interface Page {
  /** Sparse: a page the tail has begun to fill need not be whole. */
  rows: (TrafficRow | undefined)[];
  /** Of which revision it is; everything in one of an earlier revision may be out of date. */
  revision: number;
}

/**
 * One filtered view of the traffic log: how many rows there are, and those of them that were needed so far.
 *
 * The engine pushes counts, the newest rows and changes; every other row is pulled when it comes into view.
 * Deliberately not here: scrolling, selection, pausing (`useTrafficView`).
 */
export class TrafficLog {
  readonly #host: Host;
  readonly #filter: string;
  readonly #pages = new Map<number, Page>();
  readonly #indexOf = new Map<Seq, number>();
  readonly #pulling = new Set<number>();
  /** Not requested again until all rows are others, or the tail is reopened. */
  readonly #failed = new Set<number>();
  /** Changes that came while a page was being pulled; the pulled rows may be older. */
  readonly #changedMeanwhile = new Map<Seq, TrafficRow>();
  readonly #listeners = new Set<() => void>();
  readonly #watchers = new Set<(row: TrafficRow) => void>();
  #handle: StreamHandle | undefined;
  #total = 0;
  #appended = 0;
  /** Grows at each reset; a response to an earlier request is ignored. */
  #generation = 0;
  #revision = 0;
  #version = 0;
  #ready = false;
  /** The pending call of the listeners. */
  #burst: ReturnType<typeof setTimeout> | undefined;
  #error: CommandError | null = null;
  #storeProblem: string | null = null;
  #searching = false;

  constructor(host: Host, filter: string) {
    this.#host = host;
    this.#filter = filter;
  }

  /** How many rows the filter matches. */
  get total(): number {
    return this.#total;
  }

  /** How many rows have come at the end, or among the newest. Older ones that a search finds do not count. */
  get appended(): number {
    return this.#appended;
  }

  /** Whether the first snapshot has come. */
  get ready(): boolean {
    return this.#ready;
  }

  /** Why rows cannot be shown. */
  get error(): CommandError | null {
    return this.#error;
  }

  /** Why the engine cannot write records. */
  get storeProblem(): string | null {
    return this.#storeProblem;
  }

  /** Whether older records are still being searched: the number of rows is not final. */
  get searching(): boolean {
    return this.#searching;
  }

  /** The generation of the rows: grows when all earlier rows become invalid. */
  get generation(): number {
    return this.#generation;
  }

  /** Grows when rows may have come or gone among the others, or changed unseen: an earlier index may be that of another record. */
  get revision(): number {
    return this.#revision;
  }

  /** The revision in which the row at an index is known. */
  revisionOf(index: number): number {
    return this.#pages.get(Math.floor(index / PAGE))?.revision ?? this.#revision;
  }

  /** Grows with each change of anything here. */
  readonly version = (): number => this.#version;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Calls back with each row that comes or changes, also one that is not loaded. */
  readonly watchRows = (watcher: (row: TrafficRow) => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  /** Opens the tail, or reopens it after it ended. */
  open(): void {
    this.#handle?.close();
    this.#failed.clear();
    this.#handle = this.#host.openStream(
      'traffic_tail',
      { filter: this.#filter },
      {
        onEvent: (delta) => this.#apply(delta),
        onEnd: (error) => {
          if (error !== undefined) {
            this.#error = error;
            this.#changed();
          }
        },
      },
    );
  }

  close(): void {
    this.#handle?.close();
    this.#handle = undefined;
    clearTimeout(this.#burst);
    this.#burst = undefined;
  }

  /** The row at an index, if it is known. */
  row(index: number): TrafficRow | undefined {
    return this.#pages.get(Math.floor(index / PAGE))?.rows[index % PAGE];
  }

  /** The index of a known row. */
  indexOf(seq: Seq): number | undefined {
    return this.#indexOf.get(seq);
  }

  /** Pulls what is not known, or out of date, between two indices (both included). */
  want(first: number, last: number): void {
    const end = Math.min(last, this.#total - 1);
    for (let page = Math.floor(first / PAGE); page * PAGE <= end; page++) {
      if (this.#pulling.has(page) || this.#failed.has(page) || !this.#isNeeded(page, first, end)) continue;
      void this.#pull(page);
    }
  }

  #isNeeded(page: number, first: number, last: number): boolean {
    const known = this.#pages.get(page);
    if (known === undefined || known.revision !== this.#revision) return true;
    const from = Math.max(first, page * PAGE);
    const to = Math.min(last, page * PAGE + PAGE - 1);
    for (let index = from; index <= to; index++) {
      if (known.rows[index % PAGE] === undefined) return true;
    }
    return false;
  }

  async #pull(page: number): Promise<void> {
    const generation = this.#generation;
    const revision = this.#revision;
    this.#pulling.add(page);
    try {
      const { rows } = await this.#host.call('traffic_rows', {
        filter: this.#filter,
        offset: page * PAGE,
        limit: PAGE,
      });
      if (generation !== this.#generation) return;
      rows.forEach((row, i) => this.#put(page * PAGE + i, settled(row, this.#changedMeanwhile.get(row.seq))));
      const known = this.#pages.get(page);
      if (known !== undefined) known.revision = revision;
      this.#recovered();
      this.#evict(page);
    } catch (thrown) {
      if (generation !== this.#generation) return;
      this.#failed.add(page);
      this.#error = commandError(thrown);
    } finally {
      if (generation === this.#generation) {
        this.#pulling.delete(page);
        if (this.#pulling.size === 0) this.#changedMeanwhile.clear();
        this.#changed();
      }
    }
  }

  #apply(delta: TrafficDelta): void {
    if (delta.reset) this.#forget();
    this.#ready = true;
    this.#recovered();
    this.#appended += this.#newRows(delta);
    this.#total = delta.total;
    this.#storeProblem = delta.storeProblem;
    this.#searching = delta.searching;
    const start = delta.total - delta.added.length;
    delta.added.forEach((row, i) => this.#put(start + i, row));
    if (delta.added.length > 0) this.#evict(Math.floor(start / PAGE));
    for (const row of delta.changed) {
      if (this.#pulling.size > 0) this.#changedMeanwhile.set(row.seq, row);
      const index = this.#indexOf.get(row.seq);
      if (index !== undefined && this.row(index)?.seq === row.seq) this.#put(index, row);
    }
    for (const watcher of this.#watchers) for (const row of [...delta.added, ...delta.changed]) watcher(row);
    if (delta.changedMissed) this.#revision++;
    if (delta.added.length < BURST_ROWS || delta.reset) this.#changed();
    else this.#changedInBurst();
  }

  /** How many rows of a delta are not older ones that a search found. It contains only the newest of many. */
  #newRows({ total, added, changedMissed, searching }: TrafficDelta): number {
    const grown = Math.max(0, total - this.#total);
    if (!changedMissed) return grown;
    const isSearch = this.#searching || searching;
    // Without a search, rows in the middle are records that have changed, which are recent. Others may have left.
    return isSearch ? added.length : Math.max(added.length, grown);
  }

  #put(index: number, row: TrafficRow): void {
    const number = Math.floor(index / PAGE);
    let page = this.#pages.get(number);
    if (page === undefined) {
      page = { rows: [], revision: this.#revision };
      this.#pages.set(number, page);
    }
    const replaced = page.rows[index % PAGE];
    if (replaced !== undefined && this.#indexOf.get(replaced.seq) === index)
      this.#indexOf.delete(replaced.seq);
    page.rows[index % PAGE] = row;
    this.#indexOf.set(row.seq, index);
  }

  /** Drops the pages used longest ago, but never the one just used. */
  #evict(used: number): void {
    const page = this.#pages.get(used);
    if (page !== undefined) {
      this.#pages.delete(used);
      this.#pages.set(used, page);
    }
    for (const [number, old] of this.#pages) {
      if (this.#pages.size <= KEEP_PAGES) return;
      this.#pages.delete(number);
      old.rows.forEach((row, i) => {
        // It may also be at another index, where it has moved.
        if (row !== undefined && this.#indexOf.get(row.seq) === number * PAGE + i)
          this.#indexOf.delete(row.seq);
      });
    }
  }

  #forget(): void {
    this.#generation++;
    this.#pages.clear();
    this.#indexOf.clear();
    this.#pulling.clear();
    this.#failed.clear();
    this.#changedMeanwhile.clear();
  }

  /** Something worked. While a page is missing, its rows still cannot be shown. */
  #recovered(): void {
    if (this.#failed.size === 0) this.#error = null;
  }

  #changedInBurst(): void {
    if (this.#burst !== undefined) return;
    this.#burst = setTimeout(() => this.#changed(), BURST_EVERY_MS);
  }

  #changed(): void {
    clearTimeout(this.#burst);
    this.#burst = undefined;
    this.#version++;
    for (const listener of this.#listeners) listener();
  }
}

/** The later of two states of one row: an answered request never waits again. */
export function settled(pulled: TrafficRow, changed: TrafficRow | undefined): TrafficRow {
  if (changed === undefined) return pulled;
  return changed.status === 'pending' && pulled.status !== 'pending' ? pulled : changed;
}
