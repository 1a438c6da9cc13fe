import { type Appearance } from '../../model/workspace/uiState/appearance';
import { sizes, sizesOf } from '../../model/workspace/uiState/sizes';
import type { UiStateStore } from '../../model/workspace/uiState';

/** What a system says about contrast and motion. */
const MORE_CONTRAST = '(prefers-contrast: more)';
const LESS_MOTION = '(prefers-reduced-motion: reduce)';

/**
 * Gives the document the chosen sizes, contrast and motion, now and after each change of the choice or of the system. Called before
 * the first paint. The colours of a theme are Mantine's attribute (colorSchemeManager.ts).
 */
export function keepAppearance(ui: UiStateStore, document: Document, media: typeof window.matchMedia): void {
  const contrast = media(MORE_CONTRAST);
  const motion = media(LESS_MOTION);
  const apply = (): void => {
    const state = ui.getState();
    applySizes(document.documentElement, state);
    const { dataset } = document.documentElement;
    const isHigh = state.contrast === 'high' || (state.contrast === 'system' && contrast.matches);
    dataset['contrast'] = isHigh ? 'high' : 'standard';
    dataset['motion'] = state.motion === 'reduced' || motion.matches ? 'reduced' : 'full';
  };
  apply();
  contrast.addEventListener('change', apply);
  motion.addEventListener('change', apply);
  ui.subscribe((now, before) => {
    if (KEYS.some((key) => now[key] !== before[key])) apply();
  });
}

const KEYS = [
  'contrast',
  'motion',
  'density',
  'uiFontPx',
  'codeFontPx',
] as const satisfies (keyof Appearance)[];

function applySizes({ style }: HTMLElement, appearance: Appearance): void {
  const all = sizesOf(appearance);
  for (const [name, value] of Object.entries(all)) {
    style.setProperty(`--pb-${name}`, name === 'scale' ? String(value) : `${value}px`);
  }
  sizes.setState(all);
}
