import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';

// What Mantine and the virtual lists ask of a browser and jsdom does not have.

window.matchMedia ??= (query: string): MediaQueryList => ({
  matches: false,
  media: query,
  onchange: null,
  addListener: () => {},
  removeListener: () => {},
  addEventListener: () => {},
  removeEventListener: () => {},
  dispatchEvent: () => false,
});

class NoResizeObserver implements ResizeObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}
window.ResizeObserver ??= NoResizeObserver;
HTMLElement.prototype.scrollIntoView ??= () => {};
HTMLElement.prototype.scrollTo ??= () => {};
// An editor with the focus measures its cursor.
Range.prototype.getClientRects ??= () => [] as unknown as DOMRectList;
// user-event looks up the radio buttons of a name by it; the environment sets it to undefined.
(globalThis as { CSS?: { escape: (text: string) => string } }).CSS ??= {
  escape: (text) => text.replaceAll(/[^\w-]/g, String.raw`\$&`),
};
if (!('fonts' in document)) {
  Object.defineProperty(document, 'fonts', { value: new EventTarget() });
}

// A text area that grows is measured by its computed style. In jsdom nothing has a size, and working that style out took a third of the form tests.
const computedStyle = window.getComputedStyle.bind(window);
window.getComputedStyle = (element, pseudo) =>
  element instanceof HTMLTextAreaElement ? element.style : computedStyle(element, pseudo);

// What is waited for comes as soon as it can; a loaded machine of two cores can be slow to load a lazy part.
configure({ asyncUtilTimeout: 15_000 });

afterEach(cleanup);
