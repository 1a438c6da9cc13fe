/** As a `ref`: focuses an element when it appears, because it is the answer to what the user just did. */
export function focusNow(element: HTMLElement | null): void {
  element?.focus();
}
