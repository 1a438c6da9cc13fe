/** A ref that focuses its element when it appears, because it is the answer to what the user just did. */
export function focused(element: HTMLElement | null): void {
  element?.focus();
}
