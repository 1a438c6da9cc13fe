/** Somebody who typed a letter this short a time ago is still typing, in ms. */
const TYPING_MS = 1000;

/** When the last letter was typed; whatever comes after it ends the typing. */
let typedAt = -Infinity;

/** Notes when somebody types, until the returned function is called. */
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
 * Whether something that opens by itself would disturb: a menu, the palette or a dialog of some part is open, or somebody
 * is in the middle of a word.
 */
export function isDisturbing(): boolean {
  return (
    document.querySelector('[role="dialog"], [role="menu"]') !== null ||
    performance.now() - typedAt < TYPING_MS
  );
}
