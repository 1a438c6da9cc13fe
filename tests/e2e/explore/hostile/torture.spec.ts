import { expect, test } from '../../patchbay.ts';
import { AS_WRITTEN, TOO_LARGE, begin, beyond, choose } from './hostile.ts';

// What a hostile server says of its tools; answers.spec.ts has what it answers and sends.

/** Tools with Markdown as their description, and what is on the screen once it was parsed in the background. */
const DESCRIPTIONS: Record<string, string | RegExp> = {
  about_table: TOO_LARGE,
  about_nested: AS_WRITTEN,
  about_quotes: AS_WRITTEN,
  about_brackets: /more characters\)/,
  about_stars: /more characters\)/,
  about_blanks: TOO_LARGE,
  about_links: 'Image not loaded · p · https://example.org/p.png',
};
const SCHEMAS = ['texts', 'words', 'pattern', 'url', 'alternatives', 'all_of', 'any_of', 'refs', 'itself', 'wide', 'nested', 'choices', 'large', 'defaults'];

test('hostile schemas and descriptions of tools', async ({ app }) => {
  test.setTimeout(300_000);
  const { step, end } = await begin(app);
  const about = app.page.getByRole('region', { name: 'Definition' });
  for (const name of [...SCHEMAS, ...Object.keys(DESCRIPTIONS), 'hidden']) {
    const show = async (): Promise<void> => {
      await choose(app, name);
      // What is drawn later would not be measured.
      const words = DESCRIPTIONS[name];
      if (words !== undefined) await expect(about.getByText(words)).toBeVisible();
    };
    await step(name, show, async () => {
      await choose(app, 'log');
      await show();
    });
  }
  await choose(app, 'words');
  await expect(app.arguments.getByText('Not checked against the input schema')).toBeVisible();
  expect(await beyond(app.arguments)).toEqual([]);
  await choose(app, 'pattern');
  await expect(app.arguments.getByText('Not checked: checking against this schema takes too long')).toBeVisible();
  await app.callTool();
  await expect(app.result).toContainText('done');
  end();
});
