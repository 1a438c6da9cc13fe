import { IconAlertCircle, IconAlertTriangle, IconInfoCircle, type Icon } from '@tabler/icons-react';
import type { Weight } from '../../model/connection/problems/weight';
import classes from './WeightGlyph.module.css';

const GLYPHS: Record<Weight, { icon: Icon; word: string }> = {
  error: { icon: IconAlertCircle, word: 'Error' },
  warning: { icon: IconAlertTriangle, word: 'Warning' },
  info: { icon: IconInfoCircle, word: 'Info: only other hosts may be affected' },
};

/** How much a problem matters, as shape, colour and name. */
export function WeightGlyph({ weight, size = 14 }: { weight: Weight; size?: number }) {
  const { icon: Glyph, word } = GLYPHS[weight];
  return <Glyph size={size} className={classes.glyph} data-weight={weight} role="img" aria-label={word} />;
}
