import type { RecordKind } from '../../contract/generated';

/** A kind of record as the log shows it. */
export function kindWord(kind: RecordKind): string {
  return kind === 'invalid' ? 'not JSON-RPC' : kind;
}

/** The kinds that each button above the log shows. */
export const KIND_GROUPS: readonly { label: string; kinds: readonly RecordKind[] }[] = [
  { label: 'Requests', kinds: ['request'] },
  { label: 'Responses', kinds: ['response'] },
  { label: 'Notifications', kinds: ['notification'] },
  { label: 'HTTP', kinds: ['http'] },
  { label: 'stderr', kinds: ['stderr'] },
  { label: 'Other', kinds: ['batch', 'invalid', 'lifecycle', 'gap'] },
];

/** Switches a group on or off. All groups on equals none: no restriction. */
export function toggleKinds(shown: readonly RecordKind[], group: readonly RecordKind[]): RecordKind[] {
  const isOn = group.every((kind) => shown.includes(kind));
  const next = isOn ? shown.filter((kind) => !group.includes(kind)) : [...shown, ...group];
  const all = KIND_GROUPS.flatMap(({ kinds }) => kinds);
  return all.every((kind) => next.includes(kind)) ? [] : all.filter((kind) => next.includes(kind));
}
