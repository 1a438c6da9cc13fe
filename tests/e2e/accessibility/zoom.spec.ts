import type { Page } from '@playwright/test';
import { expect, test } from '../patchbay.ts';

/** The smallest window, the same at 150 % and an ordinary window at 200 % zoom, in CSS pixels. */
const SIZES = [
  { width: 900, height: 600 },
  { width: 853, height: 533 },
  { width: 640, height: 400 },
];

const TABS = ['Tools', 'Resources', 'Prompts', 'Logs', 'Tasks', 'Subscriptions', 'Composer', 'Info'];

/**
 * The controls that cannot be seen whole: those that reach out of an element that hides what overflows it, or out of the
 * window. What can be scrolled down to is not cut; sideways, only code, tables and tabs may be scrolled.
 */
async function cutControls(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const SLACK = 2;
    const controls = document.querySelectorAll<HTMLElement>(
      'button, input:not([type=hidden]), textarea, select, a[href], [role=tab], [role=radio], [role=combobox]',
    );
    const cut: string[] = [];
    for (const control of controls) {
      const style = getComputedStyle(control);
      if (!control.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) || style.position === 'absolute') continue;
      let rect = control.getBoundingClientRect();
      if (rect.width === 0 || rect.height === 0) continue;
      // A radio button of a segment is hidden behind its label.
      if (control.matches('input[type=radio]') && rect.width <= 1) continue;
      for (let box = control.parentElement; box !== null; box = box.parentElement) {
        const { overflowX, overflowY, position } = getComputedStyle(box);
        const outer = box.getBoundingClientRect();
        const scrolls = (overflow: string): boolean => overflow === 'auto' || overflow === 'scroll';
        if (box.matches('.cm-editor, [role=tablist], [role=listbox], [role=table]')) rect = outer;
        const isCut =
          (overflowX !== 'visible' && (rect.right > outer.right + SLACK || rect.left < outer.left - SLACK)) ||
          (overflowY !== 'visible' && !scrolls(overflowY) && (rect.bottom > outer.bottom + SLACK || rect.top < outer.top - SLACK));
        if (isCut) {
          const name = control.getAttribute('aria-label') ?? control.textContent?.slice(0, 40) ?? '';
          cut.push(`${control.tagName.toLowerCase()} “${name}” in .${box.className.split(' ')[0]}`);
          break;
        }
        // What scrolls shows its contents in parts: from here on, its own edges count.
        if (scrolls(overflowY)) rect = new DOMRect(rect.x, outer.y, rect.width, outer.height);
        if (position === 'fixed') break;
      }
      if (rect.right > innerWidth + SLACK || rect.bottom > innerHeight + SLACK || rect.left < -SLACK || rect.top < -SLACK)
        cut.push(`${control.tagName.toLowerCase()} “${control.getAttribute('aria-label') ?? control.textContent?.slice(0, 40)}” outside of the window`);
    }
    return [...new Set(cut)];
  });
}

for (const size of SIZES) {
  test(`no control is cut off at ${size.width}×${size.height}`, async ({ app }) => {
    const { page } = app;
    await page.setViewportSize(size);
    await expect(app.welcome).toBeVisible();
    const found: Record<string, string[]> = { welcome: await cutControls(page) };
    await app.connectDemo();
    await app.selectTool('greet');
    await app.page.getByLabel('name').first().fill('Ada');
    await app.callTool();
    await expect(app.resultStatus).toHaveText('Result');
    found['a result'] = await cutControls(page);
    await page.getByRole('button', { name: 'Show definition' }).click();
    await expect(page.getByText('read-only', { exact: true }).last()).toBeVisible();
    found['a definition'] = await cutControls(page);
    await page.getByRole('button', { name: 'Hide definition' }).click();
    for (const name of TABS) {
      const tab = page.getByRole('tab', { name });
      await tab.click();
      await expect(tab).toHaveAttribute('aria-selected', 'true');
      if (name === 'Resources' || name === 'Prompts') {
        const subject = name === 'Resources' ? 'readme' : 'tour';
        await page.getByLabel(`Find ${name.toLowerCase()}`).fill(subject);
        const rows = page.getByRole('listbox', { name, exact: true }).getByRole('option');
        await rows.filter({ hasText: subject }).first().click();
      }
      found[name] = await cutControls(page);
    }
    await page.keyboard.press('ControlOrMeta+k');
    await expect(page.getByRole('combobox', { name: 'Command palette' })).toBeVisible();
    found['the palette'] = await cutControls(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Add server' }).first().click();
    await expect(page.getByRole('dialog')).toBeVisible();
    found['adding a server'] = await cutControls(page);
    const none = Object.fromEntries(Object.keys(found).map((name) => [name, []]));
    expect(found).toEqual(none);
  });
}
