import { Portal } from '@mantine/core';
import { useEffect, useId, useRef } from 'react';
import classes from './Tips.module.css';

/** How long the pointer rests before the tip appears, in ms. */
const AFTER_MS = 400;
/** The distance between the tip, its element and the edge of the window, in px. */
const GAP = 5;

/**
 * The text of any element with `data-tip`, shown when the pointer rests on it or the keyboard reaches it; beside it with
 * `data-tip-side` (`left` or `right`), else below it, or above where there is no room.
 *
 * One for the whole window: a tool tip for each control (Mantine's) cost more to draw than the control, at each drawing.
 */
export function Tips() {
  const tip = useRef<HTMLDivElement>(null);
  const id = useId();

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let target: HTMLElement | null = null;

    // The text may change while it is shown: `Copy` becomes `Copied`.
    const watch = new MutationObserver(() => {
      if (target !== null && tip.current !== null && !tip.current.hidden) place(tip.current, target);
    });

    function show(): void {
      if (tip.current === null || target === null || !target.isConnected) return;
      place(tip.current, target);
      if (!target.hasAttribute('aria-describedby')) target.setAttribute('aria-describedby', id);
      watch.observe(target, { attributeFilter: ['data-tip'] });
    }
    function hide(): void {
      clearTimeout(timer);
      watch.disconnect();
      if (target?.getAttribute('aria-describedby') === id) target.removeAttribute('aria-describedby');
      target = null;
      if (tip.current !== null) tip.current.hidden = true;
    }
    function turnTo(event: Event, afterMs: number): void {
      const next = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-tip]') : null;
      if (next === target) return;
      hide();
      if (next === null) return;
      target = next;
      timer = setTimeout(show, afterMs);
    }

    const onPointer = (event: PointerEvent): void => {
      if (event.pointerType !== 'touch') turnTo(event, AFTER_MS);
    };
    const onFocus = (event: FocusEvent): void => {
      if (event.target instanceof Element && event.target.matches(':focus-visible')) turnTo(event, 0);
    };
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') hide();
    };
    document.addEventListener('pointerover', onPointer);
    document.documentElement.addEventListener('pointerleave', hide);
    document.addEventListener('focusin', onFocus);
    document.addEventListener('focusout', hide);
    document.addEventListener('pointerdown', hide, true);
    document.addEventListener('scroll', hide, { capture: true, passive: true });
    document.addEventListener('keydown', onKey, true);
    return () => {
      hide();
      document.removeEventListener('pointerover', onPointer);
      document.documentElement.removeEventListener('pointerleave', hide);
      document.removeEventListener('focusin', onFocus);
      document.removeEventListener('focusout', hide);
      document.removeEventListener('pointerdown', hide, true);
      document.removeEventListener('scroll', hide, { capture: true });
      document.removeEventListener('keydown', onKey, true);
    };
  }, [id]);

  return (
    <Portal>
      <div ref={tip} id={id} role="tooltip" className={classes.tip} hidden />
    </Portal>
  );
}

function place(tip: HTMLElement, target: HTMLElement): void {
  tip.textContent = target.dataset['tip'] ?? '';
  tip.hidden = tip.textContent === '';
  const of = target.getBoundingClientRect();
  const { width, height } = tip.getBoundingClientRect();
  const side = target.dataset['tipSide'];
  const beside = side === 'left' || side === 'right';
  const below = of.bottom + GAP;
  const left =
    side === 'left'
      ? of.left - GAP - width
      : side === 'right'
        ? of.right + GAP
        : of.left + (of.width - width) / 2;
  const top = beside
    ? of.top + (of.height - height) / 2
    : below + height + GAP > window.innerHeight
      ? of.top - GAP - height
      : below;
  const within = (at: number, size: number, most: number): number =>
    Math.round(Math.max(GAP, Math.min(at, most - size - GAP)));
  tip.style.transform = `translate(${within(left, width, window.innerWidth)}px, ${within(top, height, window.innerHeight)}px)`;
}
