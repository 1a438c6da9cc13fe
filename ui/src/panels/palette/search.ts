import type { Icon } from '@tabler/icons-react';
import * as fuzzysort from 'fuzzysort';
import type { FocusRequest } from '../../model/workspace/workspace';

/** Finding entries of the palette by some letters of their names. */

/** Something the palette can go to or run. */
export interface PaletteEntry {
  /** Names it among the recent entries, which survive a restart. Entries of one name may share it. */
  id: string;
  label: string;
  /** Further words it is found by. */
  keywords: string;
  /** The heading it is under while nothing is typed. */
  group: string;
  /** What it is, as the row says. */
  kind: string;
  icon: Icon;
  /** Its title, its URI or its state. */
  more: string | null;
  /** The name of the server that has it. */
  owner: string | null;
  shortcut: { id: string; /** Which key of a range. */ index?: number } | null;
  /** Where the focus goes; null: back to where it was, unless what it opens takes it. */
  focus: FocusRequest | null;
  run: () => void;
}

/** Entries prepared for searching. */
export interface Source {
  entries: readonly PaletteEntry[];
  targets: readonly Target[];
}

interface Target {
  entry: PaletteEntry;
  /** Its place in the source. */
  at: number;
  /** The label as it is compared. */
  label: string;
  /** Label and keywords as they are compared. */
  text: string;
  /** Made when it is ranked for the first time. */
  prepared: { label: fuzzysort.Prepared; keywords: fuzzysort.Prepared } | null;
}

interface LabelPart {
  text: string;
  isMatch: boolean;
}

export interface Found {
  entry: PaletteEntry;
  label: LabelPart[];
}

export interface Results {
  found: Found[];
  /** How many match, with those that are not shown. */
  total: number;
}

/** How much more a recent entry counts than another one that matches as well. */
const RECENT = 1.25;
/** The least score of a match: letters scattered over a long text are no match. */
const THRESHOLD = 0.3;
/** What each place takes off a score, so that entries that match equally well keep their order. */
const STEP = 1e-9;
/** How many entries are ranked: ranking costs ten times as much as finding, and 10,000 must not delay a key. */
const MAX_RANKED = 300;

export function sourceOf(entries: readonly PaletteEntry[]): Source {
  const targets = entries.map((entry, at) => {
    const label = fold(entry.label);
    return { entry, at, label, text: `${label}\n${fold(entry.keywords)}`, prepared: null };
  });
  return { entries, targets };
}

/** A text as it is compared: without case and accents. */
function fold(text: string): string {
  const lower = text.toLowerCase();
  // oxlint-disable-next-line no-control-regex
  return /^[\u0000-\u007f]*$/.test(lower) ? lower : lower.normalize('NFKD').replace(/\p{M}/gu, '');
}

/** The best matches of all sources, at most `limit`; of two that match equally well, the one of the earlier source. */
export function search(
  sources: readonly Source[],
  query: string,
  recent: readonly string[],
  limit: number,
): Results {
  const isRecent = new Set(recent);
  const { candidates, count } = candidatesOf(sources, fold(query).trim(), isRecent);
  const places = new Map(candidates.map((target, place) => [target, place]));
  const ranked = fuzzysort.go(query.slice(0, 200), candidates, {
    limit,
    threshold: THRESHOLD,
    keys: [(target) => prepare(target).label, (target) => prepare(target).keywords],
    scoreFn: ({ score, obj }) =>
      score * (isRecent.has(obj.entry.id) ? RECENT : 1) - (places.get(obj) ?? 0) * STEP,
  });
  const found = ranked.map((match) => ({
    entry: match.obj.entry,
    // Without a match in it, the label of a result is empty.
    label: match[0]?.target === match.obj.entry.label ? partsOf(match[0]) : whole(match.obj.entry),
  }));
  return { found, total: ranked.total + count - candidates.length };
}

/**
 * The entries worth ranking and how many match: first those whose label is the query and the recent ones, then those whose
 * label begins with it, contains it, those that contain all words, and those whose label has its letters in order.
 */
function candidatesOf(
  sources: readonly Source[],
  query: string,
  isRecent: ReadonlySet<string>,
): { candidates: Target[]; count: number } {
  const words = query.split(/\s+/).filter((word) => word !== '');
  const letters = Array.from(words.join(''));
  const tiers: Target[][] = [[], [], [], [], []];
  for (const { targets } of sources) {
    for (const target of targets) {
      const tier = tierOf(target, query, words, letters);
      tiers[tier > 0 && isRecent.has(target.entry.id) ? 0 : tier]?.push(target);
    }
  }
  const all = tiers.flat();
  return { candidates: all.slice(0, MAX_RANKED), count: all.length };
}

/** -1: no match. */
function tierOf({ label, text }: Target, query: string, words: string[], letters: string[]): number {
  if (label === query) return 0;
  const at = label.indexOf(query);
  if (at === 0) return 1;
  if (at > 0) return 2;
  if (words.every((word) => text.includes(word))) return 3;
  return hasInOrder(label, letters) ? 4 : -1;
}

function hasInOrder(label: string, letters: readonly string[]): boolean {
  let from = 0;
  for (const letter of letters) {
    from = label.indexOf(letter, from) + 1;
    if (from === 0) return false;
  }
  return true;
}

function prepare(target: Target): NonNullable<Target['prepared']> {
  const { label, keywords } = target.entry;
  target.prepared ??= { label: fuzzysort.prepare(label), keywords: fuzzysort.prepare(keywords) };
  return target.prepared;
}

/** A label cut where its matches begin and end. */
function partsOf(match: fuzzysort.Result): LabelPart[] {
  return match
    .highlight((text): LabelPart => ({ text, isMatch: true }))
    .map((part) => (typeof part === 'string' ? { text: part, isMatch: false } : part));
}

/** The entries shown while nothing is typed: the recent ones, newest first, then the others in order. */
export function browse(
  sources: readonly Source[],
  recent: readonly string[],
  limit: number,
): Results & { recent: number } {
  const known = new Map<string, PaletteEntry | undefined>(recent.map((id) => [id, undefined]));
  let total = 0;
  for (const { entries } of sources) {
    total += entries.length;
    for (const entry of entries) {
      if (known.has(entry.id) && known.get(entry.id) === undefined) known.set(entry.id, entry);
    }
  }
  const again = [...known.values()].filter((entry) => entry !== undefined);
  const shown = new Set(again);
  const rest: PaletteEntry[] = [];
  for (const { entries } of sources) {
    for (const entry of entries) {
      if (again.length + rest.length >= limit) break;
      if (!shown.has(entry)) rest.push(entry);
    }
  }
  const found = [...again, ...rest].slice(0, limit).map((entry) => ({ entry, label: whole(entry) }));
  return { found, total, recent: again.length };
}

function whole({ label }: PaletteEntry): LabelPart[] {
  return [{ text: label, isMatch: false }];
}
