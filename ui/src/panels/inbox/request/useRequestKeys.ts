import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { useModel } from '../../../model/workspace/context';
import { hasModal } from '../../../widgets/layout/modals';

/** For so many ms after opening, keys may have been meant for the pane below. */
const NOT_BEFORE_MS = 400;

interface RequestKeys {
  /** Ctrl-Enter. */
  onSend: () => void;
  /** Escape; `isEarly` if the dialog has only just opened. */
  onEscape: (isEarly: boolean) => void;
}

/** The keys of a request while the focus is in it, or nowhere; and the focus in the first field of the answer. */
export function useRequestKeys(root: RefObject<HTMLElement | null>, { onSend, onEscape }: RequestKeys): void {
  const { workspace } = useModel();
  const openedAt = useRef(0);
  useEffect(() => {
    openedAt.current = performance.now();
    const first = root.current?.querySelector<HTMLElement>(
      '[data-answer] :is(input, textarea, .cm-content), [data-answer-action]',
    );
    (first ?? root.current)?.focus();
  }, [root]);

  const onKey = useEffectEvent((event: KeyboardEvent): void => {
    const { target } = event;
    // The key that ends a composition ends nothing else.
    if (!(target instanceof Element) || event.isComposing) return;
    // Meant for a dialog above the request, which need not have the focus: it may still be loaded, or have disabled its button.
    if (workspace.getState().dialog !== null || hasModal()) return;
    // Another pane of the window.
    if (target !== document.body && root.current?.contains(target) !== true) return;
    const isEarly = performance.now() - openedAt.current <= NOT_BEFORE_MS;
    if (event.key === 'Escape' && !isPopupOf(target)) {
      event.preventDefault();
      event.stopPropagation();
      // A key that is held repeats, and would end the requests that open after this one.
      if (!event.repeat) onEscape(isEarly);
    }
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      event.stopPropagation();
      // In the request for the model the keys do not mean the answer.
      if (!event.repeat && !isEarly && target.closest('[data-request]') === null) onSend();
    }
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => onKey(event);
    // Before the controls in it, which would have closed their popup by then.
    window.addEventListener('keydown', listener, true);
    return () => window.removeEventListener('keydown', listener, true);
  }, []);
}

/** Whether Escape closes something that the control has opened, or ends an edit of a part. */
function isPopupOf(target: Element): boolean {
  return (
    target.closest('[aria-expanded="true"], [data-editing]') !== null ||
    document.querySelector('.cm-tooltip-autocomplete, [role="menu"]') !== null ||
    (target.closest('.cm-editor')?.querySelector('.cm-search') ?? null) !== null
  );
}
