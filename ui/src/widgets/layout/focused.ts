/** A ref that focuses its element when it appears. */
export function focused(element: HTMLElement | null): void {
  element?.focus();
}
