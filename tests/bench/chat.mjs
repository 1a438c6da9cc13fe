// Conversations: a model that streams 500 tokens a second for a minute, and 5,000 messages that are opened.
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { benchServer, engine, forgetTasks, launch, longestTask, openStarted, report, serve, serverRow } from './measure.mjs';

const RUNS = 5;
const MESSAGES = 5_000;
const TOKENS_PER_SECOND = 500;
const SECONDS = 60;
const ID = 'bench5000';

const model = await startModel();
const browser = await launch();
try {
  const { address, end } = await serve(benchServer(), writeConversation);
  try {
    const page = await openStarted(browser, address);
    await openChat(page);
    await measureOpening(page);
    await measureStream(page);
    await page.close();
  } finally {
    await end();
  }
} finally {
  await browser.close();
  model.close();
}

/** Shows the chat of the server. */
async function openChat(page) {
  await serverRow(page).click();
  await page.getByRole('radiogroup', { name: 'Mode' }).getByRole('radio', { name: 'Chat' }).click();
  await page.getByRole('navigation', { name: 'Conversations' }).waitFor();
}

/** From the click on a conversation of 5,000 messages until its last message is painted; another one is shown in between. */
async function measureOpening(page) {
  const opened = [];
  const longest = [];
  const list = page.getByRole('navigation', { name: 'Conversations' });
  const row = list.getByText('Message number 0', { exact: false }).first();
  for (let run = 0; run < RUNS; run++) {
    await page.getByRole('button', { name: 'New conversation', exact: true }).click();
    await page.getByText('No messages yet').or(page.getByText('You play the model')).first().waitFor();
    await forgetTasks(page);
    const seen = page.evaluate(watchLast, `Answer number ${MESSAGES / 2 - 1}`);
    await row.click();
    opened.push(await seen);
    longest.push(await longestTask(page));
  }
  report({ name: 'chat-5000-messages-opened', unit: 'ms', values: opened });
  report({ name: 'chat-5000-messages-longest-task', unit: 'ms', values: longest });
}

/** In the page: the time from the next click until a text is painted among the messages. */
function watchLast(text) {
  return new Promise((resolve) => {
    addEventListener(
      'click',
      () => {
        const clickedAt = performance.now();
        const look = () => {
          const last = Array.from(document.querySelectorAll('[aria-label="Messages"] article')).at(-1);
          if (last?.textContent?.includes(text) !== true) return requestAnimationFrame(look);
          window.afterPaint(() => resolve(performance.now() - clickedAt));
        };
        look();
      },
      { once: true, capture: true },
    );
  });
}

/** A minute of streaming: the longest task, and the time from the provider's byte to the screen. */
async function measureStream(page) {
  const saved = await engine(page, 'provider_save', {
    providerId: null,
    name: 'Bench',
    api: 'chatCompletions',
    baseUrl: `http://127.0.0.1:${model.address().port}/v1`,
    key: { type: 'none' },
    defaultModel: 'steady',
  });
  await page.getByRole('button', { name: 'New conversation', exact: true }).click();
  await page.getByRole('combobox', { name: 'Who answers' }).selectOption({ label: 'Bench' }, { timeout: 30_000 });
  await page.getByRole('combobox', { name: 'Model', exact: true }).waitFor();
  if (saved.providerId === undefined) throw new Error('the provider was not saved');
  const message = page.getByRole('textbox', { name: 'Message' });
  await message.fill('Go on for a minute.');
  await forgetTasks(page);
  await page.evaluate(watchTokens);
  await page.keyboard.press('Control+Enter');
  await page.getByRole('group', { name: 'Model context' }).waitFor({ timeout: (SECONDS + 60) * 1000 });
  const late = await page.evaluate(() => window.late);
  if (late.length < SECONDS * 10) throw new Error(`only ${late.length} frames showed a new token`);
  late.sort((one, other) => one - other);
  report({ name: 'chat-stream-byte-to-screen-p95', unit: 'ms', values: [late[Math.floor(late.length * 0.95)]], note: `${late.length} frames` });
  report({ name: 'chat-stream-longest-task', unit: 'ms', values: [await longestTask(page)], note: `${TOKENS_PER_SECOND} tokens/s for ${SECONDS} s` });
}

/** In the page: in each frame that shows a new token, how long ago the provider wrote it. Both are on the same clock. */
function watchTokens() {
  window.late = [];
  let last = '';
  const look = () => {
    const live = document.querySelector('article[aria-busy="true"]');
    const token = /t(\d{13})\s*$/.exec(live?.lastElementChild?.textContent?.slice(-40) ?? '')?.[1];
    if (token !== undefined && token !== last) {
      last = token;
      window.afterPaint(() => window.late.push(Date.now() - Number(token)));
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** Chat Completions whose only model streams tokens, each with the time at which it is written; a paragraph each 40 of them. */
function startModel() {
  const server = createServer((request, response) => {
    if (request.url.endsWith('/models')) return response.end('{"data":[{"id":"steady"}]}');
    request.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const chunk = (delta, reason = null) =>
      `data: ${JSON.stringify({ model: 'steady', choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`;
    const begun = Date.now();
    let sent = 0;
    const timer = setInterval(() => {
      const due = Math.min(((Date.now() - begun) / 1000) * TOKENS_PER_SECOND, TOKENS_PER_SECOND * SECONDS);
      for (; sent < due; sent += 1) response.write(chunk({ content: `${sent % 40 === 39 ? '\n\n' : ' '}t${Date.now()}` }));
      if (sent < TOKENS_PER_SECOND * SECONDS) return;
      clearInterval(timer);
      response.write(chunk({}, 'stop'));
      response.write('data: {"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":30000}}\n\n');
      response.end('data: [DONE]\n\n');
    }, 2);
    response.on('close', () => clearInterval(timer));
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

/** A conversation of 5,000 messages, as the journal keeps it. */
async function writeConversation(folder) {
  const lines = [{ type: 'conversation', version: 2, id: ID, createdAtMs: 1 }];
  for (let at = 0; at < MESSAGES / 2; at++) {
    const text = (what) => `${what} number ${at}. ${'Some *more* words of a usual length. '.repeat(4)}`;
    const blocks = JSON.stringify([{ type: 'text', text: text('Message') }]);
    lines.push({ type: 'user', id: String(2 * at + 1), atMs: at * 2, blocks });
    lines.push({ type: 'answer', id: String(2 * at + 2), atMs: at * 2 + 1, by: 'm', byModel: true, text: text('Answer') });
  }
  await mkdir(join(folder, 'chats'), { recursive: true });
  await writeFile(join(folder, 'chats', `${ID}.jsonl`), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}
