import { useEffect } from 'react';
import { useStore } from 'zustand';
import { useModel, useWorkspace } from '../model/context';
import { nextToOffer } from '../model/inputs';

/** Somebody who typed a letter this short a time ago is still typing, in ms. */
const TYPING_MS = 1000;

/**
 * Opens what a server asks, once, where that disturbs nobody: the window has the focus, nothing else is open, and nobody
 * is in the middle of a word. In any other case it waits in the inbox.
 */
export function useInputOffers(): void {
  const { inputs, workspace } = useModel();
  const next = useStore(inputs, (state) => nextToOffer(state)?.id ?? null);
  const isFree = useWorkspace(({ dialog }) => dialog === null);

  useEffect(() => {
    if (next === null || !isFree || !document.hasFocus() || isSomethingOpen() || isTyping()) return;
    inputs.offer(next);
    workspace.setState({ dialog: { type: 'input', inputId: next } });
  }, [inputs, workspace, next, isFree]);

  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      typedAt = event.key.length === 1 && !event.ctrlKey && !event.metaKey ? performance.now() : -Infinity;
    };
    const onPointer = (): void => {
      typedAt = -Infinity;
    };
    document.addEventListener('keydown', onKey, true);
    document.addEventListener('pointerdown', onPointer, true);
    return () => {
      document.removeEventListener('keydown', onKey, true);
      document.removeEventListener('pointerdown', onPointer, true);
    };
  }, []);
}

/** When the last letter was typed; whatever comes after it ends the typing. */
let typedAt = -Infinity;

function isTyping(): boolean {
  return performance.now() - typedAt < TYPING_MS;
}

/** A menu, the palette, or a dialog of some part. */
function isSomethingOpen(): boolean {
  return document.querySelector('[role="dialog"], [role="menu"]') !== null;
}
