/** How long after a letter the user still counts as typing, in ms. */
const TYPING_MS = 1000;

/** How often a deferred action checks whether the user is idle, in ms. */
const LOOK_MS = 250;

/** When the last letter was typed; any other key, or a click, ends typing. */
let typedAt = -Infinity;

/** Tracks typing until the returned function is called. */
export function watchTyping(): () => void {
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
}

/**
 * Whether the user is busy, so that nothing may open automatically: a menu, the palette or a dialog is open, or the user is
 * typing.
 */
export function isUserBusy(): boolean {
  return document.querySelector('[role="dialog"], [role="menu"]') !== null || isUserTyping();
}

/** Whether the user is typing. */
export function isUserTyping(): boolean {
  return performance.now() - typedAt < TYPING_MS;
}

/** Calls `act` once the user is not busy, unless the returned function is called first. */
export function whenUserIsIdle(act: () => void): () => void {
  const attempt = (): boolean => {
    if (isUserBusy()) return false;
    act();
    return true;
  };
  if (attempt()) return () => undefined;
  const timer = setInterval(() => {
    if (attempt()) clearInterval(timer);
  }, LOOK_MS);
  return () => clearInterval(timer);
}
