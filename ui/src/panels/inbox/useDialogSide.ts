import { useEffect, useState } from 'react';

type Side = 'left' | 'right';

/** The width of the dialog in px: that of the token `--pb-aside`. */
function dialogWidth(): number {
  return Math.min(560, Math.max(360, window.innerWidth * 0.3));
}

/** The side where the dialog covers less of the call that is shown; the right one if there is no call. */
export function freeSide(): Side {
  const calls = [...document.querySelectorAll<HTMLElement>('[data-call-pane]')];
  const call = calls
    .map((pane) => pane.getBoundingClientRect())
    .find(({ width, height }) => width * height > 0);
  if (call === undefined) return 'right';
  const onRight = Math.max(0, call.right - (window.innerWidth - dialogWidth()));
  const onLeft = Math.max(0, dialogWidth() - call.left);
  return onRight <= onLeft ? 'right' : 'left';
}

/** The side of the window a dialog opens on, until the user moves it. */
export function useDialogSide(): { side: Side; other: () => void } {
  const [chosen, setChosen] = useState<Side | null>(null);
  const [free, setFree] = useState(freeSide);
  useEffect(() => {
    const measure = (): void => setFree(freeSide());
    window.addEventListener('resize', measure);
    return () => window.removeEventListener('resize', measure);
  }, []);
  const side = chosen ?? free;
  return { side, other: () => setChosen(side === 'left' ? 'right' : 'left') };
}
