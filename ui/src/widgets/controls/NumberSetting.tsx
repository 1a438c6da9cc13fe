import { NumberInput } from '@mantine/core';
import { useState } from 'react';

interface NumberSettingProps {
  label: string;
  size?: 'xs';
  saved: number | null;
  min: number;
  max: number;
  /** How much the buttons and the arrow keys change; whole numbers without it. */
  step?: number;
  /** What applies without a number. Without it, there must be one. */
  placeholder?: string;
  onSave: (next: number | null) => void;
}

/** A number. Saved when the field is left, and by Enter: what is typed is not always a number yet. */
export function NumberSetting({ saved, step, onSave, ...props }: NumberSettingProps) {
  const { min, max, placeholder } = props;
  const shown = saved === null ? '' : String(saved);
  /** What is typed; null: nothing but what is saved. */
  const [typed, setTyped] = useState<string | null>(null);

  /** The number in what is typed; null: none is wanted; undefined: it is no number. */
  function numberOf(text: string): number | null | undefined {
    if (text === '') return placeholder === undefined ? undefined : null;
    const number = Number(text);
    if (!Number.isFinite(number)) return undefined;
    return Math.max(min, Math.min(max, step === undefined ? Math.floor(number) : number));
  }

  function save(): void {
    if (typed === null) return;
    const next = numberOf(typed);
    setTyped(null);
    if (next !== undefined && next !== saved) onSave(next);
  }

  return (
    <NumberInput
      {...props}
      value={typed ?? shown}
      step={step ?? 1}
      allowDecimal={step !== undefined}
      clampBehavior="none"
      trimLeadingZeroesOnBlur={false}
      onValueChange={({ value }) => setTyped(value === shown ? null : value)}
      onBlur={save}
      onKeyDown={({ key }) => key === 'Enter' && save()}
    />
  );
}
