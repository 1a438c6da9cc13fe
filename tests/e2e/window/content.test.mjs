// Content that needs more of the engine than text: what Chromium shows, WebKit shows too.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { dragFiles } from './desktop/drag.mjs';
import { connectDemo, row, withHarness } from './harness.mjs';
import { until } from './desktop/until.mjs';
import { shoot } from './desktop/shots.mjs';

/** How many dark pixels the shown page has. */
const INK = `
  const page = document.querySelector('canvas[aria-label^="Page"]');
  if (page === null || page.width < 2) return 0;
  const { data } = page.getContext('2d').getImageData(0, 0, page.width, page.height);
  return data.filter((value, at) => at % 4 === 0 && value < 128).length;`;

/** Notes the tasks that workers are given from now on and have done; a worker has one at a time. */
const WATCH_WORKERS = `
  window.done = [];
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (task, ...rest) {
    const ended = ({ data }) => {
      if (data.type !== 'done') return;
      this.removeEventListener('message', ended);
      window.done.push(task.type);
    };
    this.addEventListener('message', ended);
    post.call(this, task, ...rest);
  };`;

test(
  'a PDF is drawn page by page',
  withHarness(async (harness) => {
    const { page } = await harness.open();
    await connectDemo(page);
    await page.click(row('Servers'));
    await page.click('//*[@role="tab"][contains(., "Resources")]');
    await page.type('//input[@aria-label="Search resources"]', 'guide');
    await page.click(row('Resources'));
    await page.click('//button[normalize-space(.)="Read"]');
    await page.find('//*[contains(text(), "Page 1 of 2")]');
    const first = await until('the first page is drawn', () => page.run(INK));
    await page.click('//button[@aria-label="Next page"]');
    await page.find('//*[contains(text(), "Page 2 of 2")]');
    const second = await until('the second page is drawn', async () => {
      const ink = await page.run(INK);
      // It is drawn in parts.
      return ink !== first && ink > 100 && ink;
    });
    assert.ok(second > 100, `${second} dark pixels`);
  }),
);

test(
  'Markdown of a server is laid out by a worker',
  withHarness(async (harness) => {
    const { page } = await harness.open();
    await connectDemo(page);
    await page.click(row('Servers'));
    await page.type('//input[@aria-label="Search tools"]', 'markdown');
    await page.click(row('Tools'));
    await page.run(WATCH_WORKERS);
    await page.click('//button[contains(., "Call tool")]');
    await page.find('//section[@aria-label="Result"]//table');
    const done = () => page.run('return window.done');
    await until('a worker has done it', async () => (await done()).includes('markdown'), { seen: done });
  }),
);

test(
  'a change in a pane lays out that pane only',
  withHarness(async (harness) => {
    const { page } = await harness.open();
    await connectDemo(page);
    await page.click(row('Servers'));
    await page.click(row('Tools'));
    await page.find('//section[@aria-label="Arguments"]');
    // Content in the flow of nested flex boxes is laid out by WebKit once for each way to measure each of them: 200 ms a change.
    const positions = await page.run(
      `return [...document.querySelectorAll('[data-panel] > div')].map((content) => getComputedStyle(content).position)`,
    );
    assert.ok(positions.length > 4, `${positions.length} panes`);
    assert.deepEqual(new Set(positions), new Set(['absolute']));
  }),
);

const PLACE = '[aria-label="Conversation"]';
/** Whether the window shows that it takes files. */
const WHOLE_WINDOW = "document.body.textContent.includes('Drop to review')";
const OVER = `document.querySelector('${PLACE}').dataset.drop === 'true'`;

test(
  'files are dragged from another program onto a conversation',
  withHarness(async (harness) => {
    const file = (name, text) => {
      const path = join(harness.home, name);
      writeFileSync(path, text);
      return path;
    };
    const notes = [file('notes one.md', '# Remember the milk'), file('größer.txt', 'Zürich')];
    const folder = join(harness.home, 'a folder');
    mkdirSync(folder);
    const opened = await harness.open();
    const { page } = opened;
    await connectDemo(page);
    await page.click(row('Servers'));
    await page.click('//*[@role="radiogroup"][@aria-label="Mode"]//label[contains(., "Chat")]');
    await page.click('//button[contains(., "Start a conversation")]');
    await page.find('//textarea[@aria-label="Message"]');

    const attached = () =>
      page.run(
        `return Array.from(document.querySelectorAll('[aria-label="Attached to the next message"] summary code'), ({ textContent }) => textContent)`,
      );
    await dragFiles(opened, [...notes, folder], PLACE, OVER);
    await until('both are attached', async () => (await attached()).join() === 'notes one.md,größer.txt', { seen: attached });
    await page.find('//pre[contains(., "Remember the milk")]');
    await page.find('//*[@role="alert"][contains(., "a folder is a folder. Drop the files in it instead.")]');
    await shoot('chat-dropped', opened);
  }),
);

test(
  'configurations are dragged from another program onto the window, which shows their review',
  withHarness(async (harness) => {
    const folder = join(harness.home, 'dropped', '.cursor');
    mkdirSync(folder, { recursive: true });
    const path = join(folder, 'mcp.json');
    writeFileSync(path, JSON.stringify({ mcpServers: { weather: { command: 'npx', args: ['-y', 'weather'] } } }));
    const opened = await harness.open();
    const { page } = opened;
    await page.find('//button[contains(., "Connect demo")]');
    await dragFiles(opened, [path], 'main', WHOLE_WINDOW);
    await page.find('//*[@role="dialog"][contains(., "Import servers from mcp.json")]');
    // Its folder says whose it is.
    await page.find('//section[@aria-label="Cursor"]');
    await page.find('//code[contains(., "npx -y weather")] | //span[contains(., "npx -y weather")]');
    await shoot('window-dropped', opened);
  }),
);

test(
  'several things that are dragged onto the window are listed, with what cannot be added',
  withHarness(async (harness) => {
    const folder = join(harness.home, 'a folder');
    mkdirSync(folder);
    const bundle = join(harness.home, 'none.mcpb');
    writeFileSync(bundle, 'no archive');
    const opened = await harness.open();
    const { page } = opened;
    await page.find('//button[contains(., "Connect demo")]');
    await dragFiles(opened, [bundle, folder], 'main', WHOLE_WINDOW);
    await page.find('//*[@role="dialog"][contains(., "Review files")]');
    await page.find('//*[contains(., "a folder is a folder. Drop the files in it instead.")]');
  }),
);
