/** Somebody who typed a letter this short a time ago is still typing, in ms. */
const TYPING_MS = 1000;

/** How often it is looked whether something that waits would still disturb, in ms. */
const LOOK_MS = 250;

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

/** Does it as soon as it disturbs nobody, unless the returned function is called before. */
export function onceUndisturbed(act: () => void): () => void {
  const attempt = (): boolean => {
    if (isDisturbing()) return false;
    act();
    return true;
  };
  if (attempt()) return () => undefined;
  const timer = setInterval(() => {
    if (attempt()) clearInterval(timer);
  }, LOOK_MS);
  return () => clearInterval(timer);
}
