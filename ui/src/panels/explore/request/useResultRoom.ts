import { type Ref, type RefObject, useEffect } from 'react';
import { type PanelImperativeHandle, usePanelRef } from 'react-resizable-panels';
import { useUi } from '../../../model/workspace/context';

/** The most of the height that a form takes beside a result, and the most in px that JSON text takes. */
const MOST = 0.45;
const MOST_OF_JSON_PX = 240;
/** The least height of a form, in px. */
const LEAST_PX = 120;

/**
 * Gives a result the room that the form above it does not need, until the user has moved the border between the two.
 *
 * `root` contains both; the form is in its `[data-arguments]`. Returns the ref of the form's panel.
 */
export function useResultRoom(
  group: string,
  root: RefObject<HTMLElement | null>,
  /** `mode` begins with `json` for a text editor; with each change the form is measured again. */
  { hasResult, mode }: { hasResult: boolean; mode: string },
): Ref<PanelImperativeHandle | null> {
  const panel = usePanelRef();
  const isUsers = useUi(({ layouts }) => layouts[group] !== undefined);
  useEffect(() => {
    const body = root.current?.querySelector<HTMLElement>('[data-arguments]') ?? null;
    const part = body?.closest('section') ?? null;
    if (!hasResult || isUsers || body === null || part === null) return;
    const fit = (): void => {
      const whole = part.closest('[data-group]')?.clientHeight ?? 0;
      const px = formHeight(body, part.clientHeight - body.clientHeight, mode.startsWith('json'), whole);
      if (px !== null) panel.current?.resize(`${px}px`);
    };
    fit();
    const watch = new ResizeObserver(fit);
    for (const child of body.children) watch.observe(child);
    return () => watch.disconnect();
  }, [panel, root, hasResult, isUsers, mode]);
  return panel;
}

/** The height that the form gets, in px, with what is around it; null while nothing is laid out. */
function formHeight(body: HTMLElement, around: number, isJson: boolean, whole: number): number | null {
  if (whole === 0) return null;
  const content = isJson
    ? MOST_OF_JSON_PX - around
    : Array.from(body.children).reduce((sum, child) => sum + (child as HTMLElement).offsetHeight, 0);
  return Math.round(Math.max(LEAST_PX, Math.min(around + content, whole * MOST)));
}
