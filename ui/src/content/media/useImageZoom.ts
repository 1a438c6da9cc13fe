import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useState,
} from 'react';

/** The steps of the zoom, in percent of the image's own size. */
const STEPS = [5, 10, 25, 50, 75, 100, 150, 200, 400, 800, 1600] as const;
const SMALLEST = STEPS[0];
const LARGEST = 1600;

/** Zoom and position of an image in the element that scrolls it: Ctrl/Cmd-wheel and pinch, + − 0 1, dragging. */
export function useImageZoom(place: RefObject<HTMLElement | null>, isShown: boolean) {
  /** In percent; null fits it into the pane. */
  const [zoom, setZoom] = useState<number | null>(null);
  const now = zoom ?? 100;
  const larger = STEPS.find((step) => step > now) ?? now;
  const smaller = STEPS.findLast((step) => step < now) ?? now;

  const onWheel = useEffectEvent((event: WheelEvent): void => {
    // Without the key the wheel scrolls, as everywhere else. A pinch arrives as a wheel with Ctrl.
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const factor = Math.exp(-Math.max(-100, Math.min(100, event.deltaY)) / 300);
    setZoom(Math.round(Math.min(LARGEST, Math.max(SMALLEST, now * factor))));
  });
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    // React listens passively, which cannot keep the page from zooming.
    const listen = (event: WheelEvent): void => onWheel(event);
    element.addEventListener('wheel', listen, { passive: false });
    return () => element.removeEventListener('wheel', listen);
  }, [place, isShown]);

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = { '+': larger, '=': larger, '-': smaller, '0': null, '1': 100 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setZoom(next);
  }

  /** Scrolls with the pointer while its main button is held. */
  function onPointerMove({ buttons, movementX, movementY, pointerType }: PointerEvent): void {
    // A finger scrolls by itself.
    if (buttons !== 1 || pointerType === 'touch') return;
    place.current?.scrollBy({ left: -movementX, top: -movementY, behavior: 'instant' });
  }

  return {
    zoom,
    setZoom,
    larger,
    smaller,
    canGrow: now < LARGEST,
    canShrink: now > SMALLEST,
    handlers: { onKeyDown, onPointerMove },
  };
}
