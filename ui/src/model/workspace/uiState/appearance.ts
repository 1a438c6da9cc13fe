/** How the window looks. The first of each list is the default. */
export const THEMES = ['system', 'light', 'dark'] as const;
export const CONTRASTS = ['system', 'standard', 'high'] as const;
export const MOTIONS = ['system', 'reduced'] as const;
export const DENSITIES = ['normal', 'compact', 'comfortable'] as const;

/** The sizes a font can have, in px. */
export const FONT_PX = { min: 11, max: 18 };

export interface Appearance {
  theme: (typeof THEMES)[number];
  /** `system`: high where the system prefers more contrast. */
  contrast: (typeof CONTRASTS)[number];
  /** `system`: reduced where the system prefers less motion. */
  motion: (typeof MOTIONS)[number];
  /** How much room there is around the text of rows, bars and controls. */
  density: (typeof DENSITIES)[number];
  /** The size of the text of the window, in px. */
  uiFontPx: number;
  /** The size of JSON, bytes and other code, in px. */
  codeFontPx: number;
}

export const initialAppearance: Appearance = {
  theme: 'system',
  contrast: 'system',
  motion: 'system',
  density: 'normal',
  uiFontPx: 13,
  codeFontPx: 12,
};

/** A saved appearance; the default where it is not understood. */
export function readAppearance(saved: Appearance): Appearance {
  return {
    theme: oneOf(THEMES, saved.theme),
    contrast: oneOf(CONTRASTS, saved.contrast),
    motion: oneOf(MOTIONS, saved.motion),
    density: oneOf(DENSITIES, saved.density),
    uiFontPx: fontPx(saved.uiFontPx, initialAppearance.uiFontPx),
    codeFontPx: fontPx(saved.codeFontPx, initialAppearance.codeFontPx),
  };
}

/** A size that a font can have; `otherwise` if it is not a number. */
export function fontPx(value: unknown, otherwise: number): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) return otherwise;
  return Math.min(FONT_PX.max, Math.max(FONT_PX.min, Math.round(value)));
}

/** `value` if it is one of the choices, else the first of them. */
export function oneOf<T>(choices: readonly [T, ...T[]], value: T): T {
  return choices.includes(value) ? value : choices[0];
}
