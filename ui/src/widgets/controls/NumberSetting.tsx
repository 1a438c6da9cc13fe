import { NumberInput } from '@mantine/core';
import { useTyped } from './useTyped';

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
  /** False if it was refused. */
  onSave: (next: number | null) => Promise<boolean> | boolean;
}

/** A number. Saved when the field is left, and by Enter: what is typed is not always a number yet. */
export function NumberSetting({ saved, step, onSave, ...props }: NumberSettingProps) {
  const { min, max, placeholder } = props;

  /** The number in what is typed; null: none is wanted; undefined: it is no number. */
  function numberOf(text: string): number | null | undefined {
    if (text === '') return placeholder === undefined ? undefined : null;
    const number = Number(text);
    if (!Number.isFinite(number)) return undefined;
    return Math.max(min, Math.min(max, step === undefined ? Math.floor(number) : number));
  }

  const { value, change, save } = useTyped(saved === null ? '' : String(saved), (typed) => {
    const next = numberOf(typed);
    return next === undefined || next === saved || onSave(next);
  });

  return (
    <NumberInput
      {...props}
      value={value}
      step={step ?? 1}
      allowDecimal={step !== undefined}
      clampBehavior="none"
      trimLeadingZeroesOnBlur={false}
      onValueChange={({ value: typed }) => change(typed)}
      onBlur={() => void save()}
      onKeyDown={({ key }) => key === 'Enter' && void save()}
    />
  );
}
