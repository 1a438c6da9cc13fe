import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { type Appearance, initialAppearance } from './appearance';

/** What a density adds to the lines of text, in px. */
const ROOM: Record<
  Appearance['density'],
  Record<'row' | 'dense' | 'log' | 'code' | 'control' | 'bar' | 'title', number>
> = {
  compact: { row: 4, dense: 2, log: 2, code: 0, control: 4, bar: 12, title: 16 },
  normal: { row: 8, dense: 6, log: 4, code: 2, control: 8, bar: 16, title: 20 },
  comfortable: { row: 14, dense: 10, log: 8, code: 4, control: 12, bar: 22, title: 26 },
};

/**
 * All sizes of the window, in px, but `scale`, which is a factor: columns of a fixed width grow by it with their text.
 *
 * The style sheets have each as `--pb-NAME`, whose default is in styles/tokens.css; a list whose rows have to be counted in px
 * takes the same number from `useSize`.
 */
export function sizesOf({
  density,
  uiFontPx: ui,
  codeFontPx: code,
}: Pick<Appearance, 'density' | 'uiFontPx' | 'codeFontPx'>) {
  const room = ROOM[density];
  const line = Math.round((ui * 20) / 13);
  const lineS = Math.round(((ui - 1) * 16) / 12);
  const lineM = Math.round(((ui - 1) * 18) / 12);
  const codeLine = Math.round((code * 18) / 12);
  // A row may have either text.
  const tall = Math.max(line, codeLine);
  const small = Math.max(lineM, codeLine);
  return {
    scale: Math.round((Math.max(ui / 13, code / 12) + Number.EPSILON) * 1000) / 1000,
    'size-xs': ui - 2,
    'size-s': ui - 1,
    'size-m': ui,
    'size-l': ui + 2,
    'size-xl': ui + 7,
    'line-xs': Math.round(((ui - 2) * 14) / 11),
    'line-s': lineS,
    'line-m': lineM,
    line,
    'line-l': Math.round(((ui + 2) * 22) / 15),
    'line-xl': Math.round(((ui + 2) * 24) / 15),
    'code-size': code,
    'code-size-dense': code - 0.5,
    'code-size-s': code - 1,
    'code-line': codeLine,
    /** Lists. */
    row: tall + room.row,
    /** Tables. */
    'row-dense': small + room.dense,
    /** Lines of logs. */
    'row-log': small + room.log,
    /** Lines of bytes. */
    'row-code': codeLine + room.code,
    /** Buttons and fields. */
    control: line + room.control,
    'control-s': lineS + room.control,
    'control-xs': lineS + room.control - 2,
    /** Tool bars and tab bars. */
    bar: line + room.bar,
    title: line + room.title,
  };
}

export type Sizes = ReturnType<typeof sizesOf>;
export type SizeName = keyof Sizes;

/** The sizes that the document has. */
export const sizes = createStore<Sizes>(() => sizesOf(initialAppearance));

/** One size as the document has it; the component renders again when it changes. */
export function useSize(name: SizeName): number {
  return useStore(sizes, (all) => all[name]);
}
