import { NumberInput } from '@mantine/core';
import { useState } from 'react';
import type { SettingsProps } from './settingsProps';

/** The highest that is offered. */
const MOST = 2;

/** The temperature. Saved when the field is left, and by Enter: what is typed is not always a number yet. */
export function Temperature({ conversation, settings: { temperature } }: SettingsProps) {
  const saved = temperature === null ? '' : String(temperature);
  /** What is typed; null: nothing but what is saved. */
  const [typed, setTyped] = useState<string | null>(null);

  function save(): void {
    if (typed === null) return;
    const next = temperatureOf(typed);
    setTyped(null);
    if (next !== undefined && next !== temperature) void conversation.set({ temperature: next });
  }

  return (
    <NumberInput
      label="Temperature"
      placeholder="Provider default"
      value={typed ?? saved}
      min={0}
      max={MOST}
      step={0.1}
      clampBehavior="none"
      trimLeadingZeroesOnBlur={false}
      onValueChange={({ value }) => setTyped(value === saved ? null : value)}
      onBlur={save}
      onKeyDown={({ key }) => key === 'Enter' && save()}
    />
  );
}

/** The temperature in what is typed; null: the default of the provider; undefined: it is no number. */
function temperatureOf(typed: string): number | null | undefined {
  if (typed === '') return null;
  const number = Number(typed);
  return Number.isFinite(number) ? Math.max(0, Math.min(MOST, number)) : undefined;
}
