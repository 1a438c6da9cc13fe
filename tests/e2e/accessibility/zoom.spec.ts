import type { Page } from '@playwright/test';
import { begin } from '../chat/steps.ts';
import { expect, keyedServer, test } from '../httpServer.ts';

/**
 * The smallest window, the same at 150 % and an ordinary window at 200 % zoom, in CSS pixels; the smallest at 80 %, an ordinary
 * one, and a screen of 4K.
 */
const SIZES = [
  { width: 900, height: 600 },
  { width: 853, height: 533 },
  { width: 640, height: 400 },
  { width: 1125, height: 750 },
  { width: 1280, height: 800 },
  { width: 3840, height: 2160 },
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

/**
 * Texts that lie over each other: two elements with a text of their own whose lines cross. What is drawn above the page on
 * purpose (menus, dialogs, tips) is left out, and so is what is clipped away.
 */
async function crossedTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const SLACK = 3;
    const lines: { text: string; rect: DOMRect; of: Element }[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const parent = node.parentElement;
      const text = node.textContent?.trim() ?? '';
      if (parent === null || text === '' || parent.closest('[role=dialog], [role=menu], [role=tooltip], [data-floating], .cm-editor, svg')) continue;
      if (!parent.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const rect of range.getClientRects()) {
        let [left, top, right, bottom] = [rect.left, rect.top, rect.right, rect.bottom];
        for (let box: Element | null = parent; box !== null; box = box.parentElement) {
          const style = getComputedStyle(box);
          // What sticks lies over what is scrolled below it.
          if (style.clipPath !== 'none' || style.position === 'sticky') right = left;
          if (style.overflowX === 'visible' && style.overflowY === 'visible') continue;
          const outer = box.getBoundingClientRect();
          [left, right] = [Math.max(left, outer.left), Math.min(right, outer.right)];
          [top, bottom] = [Math.max(top, outer.top), Math.min(bottom, outer.bottom)];
        }
        if (right - left > SLACK && bottom - top > SLACK) {
          lines.push({ text: text.slice(0, 30), rect: new DOMRect(left, top, right - left, bottom - top), of: parent });
        }
      }
    }
    const crossed = new Set<string>();
    for (const [i, a] of lines.entries()) {
      for (const b of lines.slice(i + 1)) {
        if (a.of === b.of || a.of.contains(b.of) || b.of.contains(a.of)) continue;
        const wide = Math.min(a.rect.right, b.rect.right) - Math.max(a.rect.left, b.rect.left);
        const high = Math.min(a.rect.bottom, b.rect.bottom) - Math.max(a.rect.top, b.rect.top);
        if (wide > SLACK && high > SLACK) crossed.add(`“${a.text}” and “${b.text}”`);
      }
    }
    return [...crossed];
  });
}

/** All that is wrong with what is on the screen, once that stays as it is: parts are measured and laid out again after they were drawn. */
async function looked(page: Page): Promise<string[]> {
  let found: string[] | undefined;
  const isSteady = async (): Promise<boolean> => {
    const before = found;
    found = [...(await cutControls(page)), ...(await crossedTexts(page))];
    return before !== undefined && before.join('\n') === found.join('\n');
  };
  await expect.poll(isSteady).toBe(true);
  return found ?? [];
}

for (const size of SIZES) {
  test(`no control is cut off and no text lies over another at ${size.width}×${size.height}`, async ({ app }) => {
    const { page } = app;
    await page.setViewportSize(size);
    await expect(app.welcome).toBeVisible();
    const found: Record<string, string[]> = { welcome: await looked(page) };
    await app.connectDemo();
    await app.selectTool('greet');
    await app.page.getByLabel('name').first().fill('Ada');
    await app.callTool();
    await expect(app.resultStatus).toHaveText('Result');
    found['a result'] = await looked(page);
    // A wide window has it already.
    const show = page.getByRole('button', { name: 'Show definition' });
    const hide = page.getByRole('button', { name: 'Hide definition' });
    await expect(show.or(hide)).toBeVisible();
    if (await show.isVisible()) await show.click();
    await expect(hide).toBeVisible();
    await expect(page.getByText('read-only', { exact: true }).last()).toBeVisible();
    found['a definition'] = await looked(page);
    await hide.click();
    for (const name of TABS) {
      await app.openTab(name);
      if (name === 'Resources' || name === 'Prompts') {
        const subject = name === 'Resources' ? 'readme' : 'tour';
        await page.getByLabel(`Search ${name.toLowerCase()}`).fill(subject);
        const rows = page.getByRole('listbox', { name, exact: true }).getByRole('option');
        await rows.filter({ hasText: subject }).first().click();
      }
      found[name] = await looked(page);
    }
    await page.keyboard.press('ControlOrMeta+k');
    await expect(page.getByRole('combobox', { name: 'Command palette' })).toBeVisible();
    found['the palette'] = await looked(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Add server' }).first().click();
    await expect(page.getByRole('dialog')).toBeVisible();
    found['adding a server'] = await looked(page);
    const none = Object.fromEntries(Object.keys(found).map((name) => [name, []]));
    expect(found).toEqual(none);
  });
}

/** A long name, one without a place to break it, and one that is written from right to left. */
const NAMES = ['A server with a name that is far longer than any list of servers is wide', 'x'.repeat(90), 'خادم الطقس والأخبار للمدن الكبيرة'];

for (const width of [640, 900, 1280]) {
  test(`long and right-to-left names cut off nothing, and no text lies over another, ${width} px wide`, async ({ app }) => {
    const { page } = app;
    await page.setViewportSize({ width, height: 640 });
    const server = { command: process.env.PATCHBAY_BIN, args: ['demo-server'] };
    await app.addByPaste(JSON.stringify({ mcpServers: Object.fromEntries(NAMES.map((name) => [name, server])) }), NAMES.length);
    const found: Record<string, string[]> = {};
    for (const name of NAMES) {
      await app.server(name).click();
      await expect(app.server(name, 'Ready')).toBeVisible();
      await app.selectTool('greet');
      await app.arguments.getByLabel('name').first().fill(name);
      await app.callTool();
      await expect(app.resultStatus).toHaveText('Result');
      found[name] = await looked(page);
      await app.trafficRows.last().click();
      await expect(app.record).toBeVisible();
      found[`${name}, a record`] = await looked(page);
    }
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((each) => [each, []])));
    // No name makes the bar of the log a second line.
    const bar = await page.getByRole('toolbar', { name: 'Traffic' }).boundingBox();
    if (width === 1280) expect(bar!.height).toBeLessThan(44);
  });
}

for (const size of SIZES.slice(0, 4)) {
  test(`failures, help, settings and a conversation cut off nothing at ${size.width}×${size.height}`, async ({ app }) => {
    const { page } = app;
    await page.setViewportSize(size);
    const found: Record<string, string[]> = {};
    await app.addByPaste('/opt/no-such-program --stdio');
    await expect(page.getByRole('alert')).toContainText('Failed at');
    found['a failure'] = await looked(page);
    // What to do is in view, not only what happened.
    await expect(page.getByRole('button', { name: 'Reconnect' })).toBeInViewport({ ratio: 1 });
    const keyed = await keyedServer();
    await app.addByUrl('keyed', keyed.url);
    await expect(app.authorizationStatus).toContainText('Failed at');
    found['an authorization'] = await looked(page);
    // The diagram is wider than the room at 640 px.
    if (size.width > 640) {
      await page.getByRole('button', { name: 'Sequence and token' }).click();
      await expect(page.getByRole('radiogroup', { name: 'Side view' })).toBeVisible();
      found['its sequence'] = await looked(page);
    }
    keyed.end();
    await page.keyboard.press('F1');
    await expect(page.getByRole('dialog', { name: 'Help' }).getByRole('heading').nth(1)).toBeVisible();
    found['help'] = await looked(page);
    await page.keyboard.press('Escape');
    await page.keyboard.press('ControlOrMeta+,');
    await expect(page.getByRole('dialog', { name: 'Settings' })).toBeVisible();
    found['settings'] = await looked(page);
    await page.keyboard.press('Escape');
    await begin(app);
    await page.getByRole('textbox', { name: 'Message' }).fill('What is 40 + 2?');
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect(page.getByRole('group', { name: 'Answer in place of the model' })).toBeVisible();
    found['an answer by hand'] = await looked(page);
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((each) => [each, []])));
  });
}
