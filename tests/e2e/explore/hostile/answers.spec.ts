import type { Locator } from '@playwright/test';
import { answerWith, requestDialog } from '../../inbox/dialog.ts';
import { expect, test } from '../../patchbay.ts';
import type { Screen } from '../../screen.ts';
import { type Hostile, AS_WRITTEN, TOO_LARGE, begin, beyond, choose } from './hostile.ts';

// What a hostile server answers and sends by itself: results, requests for input, log messages, instructions, resources, prompts.

const text = (words: string | RegExp) => (where: Locator) => where.getByText(words).last();
const part = (name: string) => (where: Locator) => where.getByRole('region', { name }).locator('.cm-content');
/** A text of which something has the colours of its language. */
const coloured = (where: Locator): Locator => where.locator('.cm-line span').first();
/** A hidden character with its name, which is in all texts of the server. */
const marked = (where: Locator): Locator => where.locator('mark[data-hidden="U+202E"]').first();

/** Tools, and what must be on the screen when their result is. */
const RESULTS: [tool: string, ...shown: ((result: Locator) => Locator)[]][] = [
  ['markdown_table', text(TOO_LARGE), (result) => result.getByText(TOO_LARGE).nth(1)],
  ['markdown_nested', text(AS_WRITTEN)],
  ['markdown_quotes', text(AS_WRITTEN)],
  // A text that is too long to be laid out is in an editor.
  ['markdown_brackets', part('Content 2 of 2')],
  ['markdown_stars', part('Content 2 of 2')],
  ['markdown_blanks', part('Content 2 of 2')],
  ['markdown_links', text('Image not loaded · p · https://example.org/p.png'), marked],
  ['frontmatter', text('body'), (result) => result.getByText(/^(9|The frontmatter was not read: .*)$/).first()],
  ['texts_result', text(/^embedded/), marked],
  ['one_line', part('Content: text')],
  ['json_line', part('Content: text')],
  ['json_deep', part('Content: text')],
  ['yaml', coloured],
  ['python', coloured],
  ['csv', (result) => result.getByRole('listbox', { name: 'Table' }).getByRole('option').first()],
  ['pictures', text(/30000 × 30000 pixels/), text(/repeat each other too often/), text('Image not shown: its size cannot be read.')],
  ['many_blocks', text('block 19'), text('Show 20 more')],
];

async function call(app: Screen, tool: string): Promise<void> {
  await choose(app, tool);
  await app.callAndWait();
}

async function results(app: Screen, { step }: Hostile): Promise<void> {
  for (const [tool, ...shown] of RESULTS) {
    await step(tool, async () => {
      await call(app, tool);
      await expect(app.resultStatus).toHaveText('Result');
      for (const each of shown) await expect(each(app.result)).toBeVisible();
    });
    // An editor has images without a source beside its marks.
    await expect(app.result.locator('img[src]')).toHaveCount(0);
    await step(
      `${tool} as received`,
      () => app.result.getByText('Raw', { exact: true }).click(),
      async () => {
        await app.result.getByText('Result', { exact: true }).last().click();
        await app.result.getByText('Raw', { exact: true }).click();
      },
    );
    await expect(app.result.getByRole('textbox', { name: 'Response as received' })).toBeVisible();
  }
}

/** A dialog that opens by itself, with an answer that cannot be checked in time: it can be sent nevertheless. */
async function asks(app: Screen, { step }: Hostile): Promise<void> {
  const dialog = requestDialog(app);
  const answered = async (): Promise<void> => {
    await call(app, 'elicit');
    await expect(marked(dialog)).toBeVisible();
    await expect(dialog.getByText('Not checked: checking against the schema of this request takes too long.')).toBeVisible();
    await dialog.getByText('Send answer').click();
    await expect(app.result.getByText('answered with accept')).toBeVisible();
    await expect(dialog).toBeHidden();
  };
  await step('elicit', answered);
  // The answer is offered to the next request, if it fits: that is decided while the dialog is drawn.
  await step('elicit again', answered);
}

/** A dialog whose words have no end: each stays in it, and so do the buttons. */
async function asksWithLongWords(app: Screen, { step }: Hostile): Promise<void> {
  const dialog = requestDialog(app);
  await step('ask_words', async () => {
    await call(app, 'ask_words');
    await dialog.getByRole('button', { name: 'Send answer' }).click();
    await expect(dialog.getByRole('list', { name: '1 field to correct' })).toBeVisible();
    expect(await beyond(dialog)).toEqual([]);
    await expect(dialog.getByRole('button', { name: 'Send answer' })).toBeInViewport({ ratio: 1 });
    await answerWith(dialog, 'Decline');
    await expect(app.result.getByText('answered with decline')).toBeVisible();
  });
}

async function logs(app: Screen, { step }: Hostile): Promise<void> {
  const panel = app.page.getByRole('region', { name: 'Logs', exact: true });
  const row = panel.getByRole('listbox', { name: 'Logs' }).getByRole('option').filter({ hasText: 'error' }).first();
  await call(app, 'log');
  await step('log', async () => {
    await app.openTab('Logs');
    await expect(marked(row)).toBeVisible();
    await row.click();
    await expect(marked(panel.getByRole('region', { name: 'Log line' }))).toBeVisible();
  });
}

async function instructions(app: Screen, { step }: Hostile): Promise<void> {
  const { page } = app;
  const panel = page.getByRole('region', { name: 'Instructions' });
  await step('instructions', async () => {
    await app.openTab('Info');
    await expect(panel.getByText(TOO_LARGE)).toBeVisible();
    await expect(marked(panel)).toBeAttached();
    await expect(marked(page.getByRole('region', { name: 'Server', exact: true }))).toBeVisible();
  });
}

async function resources(app: Screen, { step }: Hostile): Promise<void> {
  const { page } = app;
  const rows = page.getByRole('region', { name: 'Resources', exact: true }).getByRole('listbox').getByRole('option');
  await step('resources', async () => {
    await app.openTab('Resources');
    await expect(marked(rows)).toBeVisible();
  });
  await step('resource', () => rows.filter({ hasText: 'path' }).first().click());
  await step('resources/read', async () => {
    await page.getByRole('button', { name: 'Read', exact: true }).click();
    await expect(app.resultStatus).toHaveText('Result');
    await expect(app.result.getByText(AS_WRITTEN).nth(3)).toBeAttached();
    await expect(marked(app.result)).toBeAttached();
  });
}

async function prompts(app: Screen, { step }: Hostile): Promise<void> {
  const { page } = app;
  const rows = page.getByRole('region', { name: 'Prompts', exact: true }).getByRole('listbox').getByRole('option');
  await step('prompts', async () => {
    await app.openTab('Prompts');
    await expect(marked(rows)).toBeVisible();
  });
  await step('prompt', () => rows.first().click());
  await step('prompts/get', async () => {
    await page.getByText('Get prompt', { exact: true }).click();
    await expect(app.resultStatus).toHaveText('Result');
    await expect(app.result.getByText(AS_WRITTEN).nth(3)).toBeAttached();
    await expect(marked(app.result.getByRole('list', { name: 'Messages' }))).toBeAttached();
  });
}

test('hostile results, requests, logs, instructions, resources and prompts', async ({ app }) => {
  test.setTimeout(150_000);
  const hostile = await begin(app);
  await results(app, hostile);
  await asks(app, hostile);
  await asksWithLongWords(app, hostile);
  await logs(app, hostile);
  await instructions(app, hostile);
  await resources(app, hostile);
  await prompts(app, hostile);
  hostile.end();
});
