import { fileURLToPath } from 'node:url';
import type { Locator, Page } from '@playwright/test';
import { expect } from '../../patchbay.ts';
import type { Screen } from '../../screen.ts';
import { bestOf } from '../../inbox/longTasks.ts';

// What must hold of the window whatever a server sends: it stays responsive, draws no more than it can, hides nothing, runs nothing,
// and no request leaves it.

const SERVER = fileURLToPath(new URL('hostileServer.mjs', import.meta.url));

/** Said above Markdown of which a part is shown as it was written. */
export const TOO_LARGE = 'Shown as plain text: this part is too large to render.';
/** The same of any Markdown: whether a parser gives up on deep nesting depends on its stack. */
export const AS_WRITTEN = /^Shown as plain text: this (part|Markdown) is too /;

/** The longest task of the main thread, in ms of processor time. */
const LONGEST_MS = 200;
/** How many elements the whole window may have. */
const MOST_ELEMENTS = 12_000;
/** The longest text of one element, in characters. */
const LONGEST_TEXT = 21_000;

interface Seen {
  violations: string[];
}
declare global {
  interface Window {
    seen: Seen;
    ran?: unknown;
  }
}

async function watch(page: Page): Promise<() => string[]> {
  const outside: string[] = [];
  const { origin } = new URL(page.url());
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !/^(blob|data):/.test(url)) outside.push(url);
  });
  await page.evaluate(() => {
    window.seen = { violations: [] };
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      window.seen.violations.push(`${violatedDirective} ${blockedURI}`);
    });
  });
  return () => outside;
}

/** What is wrong with what is on the screen. */
function complaints(page: Page): Promise<string[]> {
  return page.evaluate(
    ({ most, longest }) => {
      const hidden = /[\u200B\u202A-\u202E\u2066-\u2069\u{E0001}-\u{E007F}]/u;
      const found: string[] = [];
      const where = (element: Element | null): string =>
        `${element?.tagName.toLowerCase()}.${String(element?.className).slice(0, 60)} in ${element?.closest('[aria-label]')?.getAttribute('aria-label')?.slice(0, 60)}`;
      const elements = document.querySelectorAll('*');
      if (elements.length > most) found.push(`${elements.length} elements`);
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const value = node.nodeValue ?? '';
        const parent = node.parentElement;
        if (parent?.closest('mark[data-hidden], style, script, textarea') !== null) continue;
        // An editor draws only what is visible of a long line, and marks hidden characters itself.
        if (hidden.test(value)) found.push(`a hidden character: ${where(parent)}`);
        if (value.length > longest) found.push(`a text of ${value.length}: ${where(parent)}`);
      }
      for (const element of elements) {
        for (const name of ['title', 'aria-label', 'data-tip', 'placeholder', 'alt']) {
          const value = element.getAttribute(name) ?? '';
          if (hidden.test(value)) found.push(`a hidden character in ${name}: ${where(element)}`);
          if (value.length > longest) found.push(`${name} of ${value.length}: ${where(element)}`);
        }
      }
      for (const image of document.images) {
        if (image.naturalWidth * image.naturalHeight > 40_000_000) found.push(`a picture of ${image.naturalWidth} pixels`);
      }
      if (window.ran !== undefined) found.push('a script ran');
      for (const violation of window.seen.violations) found.push(`blocked: ${violation}`);
      return [...new Set(found)].slice(0, 20);
    },
    { most: MOST_ELEMENTS, longest: LONGEST_TEXT },
  );
}

/** Does something, and measures it: again if it was slow, so that only what is slow each time counts. */
async function measured(page: Page, failures: string[], name: string, act: () => Promise<void>, again: () => Promise<void>): Promise<void> {
  const { ms, limit } = await bestOf(page, LONGEST_MS, [act, again, again]);
  if (ms > limit) failures.push(`${name}: a task of ${ms} ms (limit ${limit} ms)`);
  for (const complaint of await complaints(page)) failures.push(`${name}: ${complaint}`);
}

/** The window of a hostile server. */
export interface Hostile {
  /** Does something that ends when what was asked for is on the screen, and notes what is wrong then; `again` does it once more. */
  step: (name: string, act: () => Promise<void>, again?: () => Promise<void>) => Promise<void>;
  /** Fails if anything was wrong in any step, or if anything was loaded from elsewhere. */
  end: () => void;
}

/** Connects the hostile server. */
export async function begin(app: Screen): Promise<Hostile> {
  const outside = await watch(app.page);
  const failures: string[] = [];
  await app.addByPaste(`node ${SERVER}`);
  await expect(app.toolRows.first()).toBeVisible({ timeout: 60_000 });
  return {
    step: (name, act, again = act) => measured(app.page, failures, name, act, again),
    end: () => {
      expect(failures).toEqual([]);
      expect(outside()).toEqual([]);
    },
  };
}

/** Selects the first tool whose name begins so. */
export async function choose(app: Screen, name: string): Promise<void> {
  await app.tools.getByLabel('Search tools').fill(name);
  await app.toolRows.filter({ hasText: name }).first().click();
  await expect(app.page.getByRole('heading', { name: new RegExp(`^${name}`) }).first()).toBeVisible();
}


/** The texts that are drawn beyond the right side of a part of the window: a word without an end pushes them out of it. */
export function beyond(part: Locator): Promise<string[]> {
  return part.evaluate((element) => {
    const right = element.getBoundingClientRect().right + 1;
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const found: string[] = [];
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
      const range = document.createRange();
      range.selectNodeContents(text);
      const parent = text.parentElement;
      // Its end is cut off, and shown as cut off.
      if (parent === null || getComputedStyle(parent).textOverflow === 'ellipsis') continue;
      if (range.getBoundingClientRect().right > right) found.push(`${parent.className}: ${text.nodeValue?.slice(0, 40)}`);
    }
    return found;
  });
}
