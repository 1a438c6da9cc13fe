import { NumberInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useModel, useUi } from '../../model/workspace/context';
import { type Appearance, FONT_PX } from '../../model/workspace/uiState/appearance';
import { Segments } from '../../widgets/controls/Segments';

type Choice = 'theme' | 'contrast' | 'motion' | 'density';

/** The choices, in the order of the control. */
const CHOICES: { [K in Choice]: readonly { value: Appearance[K]; label: string }[] } = {
  theme: [
    { value: 'system', label: 'System' },
    { value: 'light', label: 'Light' },
    { value: 'dark', label: 'Dark' },
  ],
  contrast: [
    { value: 'system', label: 'System' },
    { value: 'standard', label: 'Standard' },
    { value: 'high', label: 'High' },
  ],
  motion: [
    { value: 'system', label: 'System' },
    { value: 'reduced', label: 'Reduced' },
  ],
  density: [
    { value: 'compact', label: 'Compact' },
    { value: 'normal', label: 'Normal' },
    { value: 'comfortable', label: 'Comfortable' },
  ],
};

function Chosen({ of, label }: { of: Choice; label: string }) {
  const { ui } = useModel();
  const value: Appearance[Choice] = useUi((state) => state[of]);
  return (
    <Segments<Appearance[Choice]>
      label={label}
      segments={CHOICES[of]}
      value={value}
      onChange={(next) => ui.setState({ [of]: next })}
    />
  );
}

export function Theme() {
  return <Chosen of="theme" label="Theme" />;
}

export function Contrast() {
  return <Chosen of="contrast" label="Contrast" />;
}

export function Motion() {
  return <Chosen of="motion" label="Motion" />;
}

export function Density() {
  return <Chosen of="density" label="Density" />;
}

export function UiFont() {
  return <FontPx of="uiFontPx" label="Font size" />;
}

export function CodeFont() {
  return <FontPx of="codeFontPx" label="Code font size" />;
}

/** A size in px. What is not a size yet, such as the first digit, changes nothing; on leaving the field it is put right. */
function FontPx({ of, label }: { of: 'uiFontPx' | 'codeFontPx'; label: string }) {
  const { ui } = useModel();
  const value = useUi((state) => state[of]);
  const [written, setWritten] = useState<string | number>(value);
  useEffect(() => setWritten(value), [value]);
  const write = (next: string | number): void => {
    setWritten(next);
    if (typeof next === 'number' && next >= FONT_PX.min && next <= FONT_PX.max) ui.setState({ [of]: next });
  };
  return (
    <NumberInput
      aria-label={label}
      value={written}
      onChange={write}
      onBlur={() => written === '' && setWritten(value)}
      min={FONT_PX.min}
      max={FONT_PX.max}
      clampBehavior="blur"
      allowDecimal={false}
      allowNegative={false}
      suffix=" px"
      w={92}
    />
  );
}
