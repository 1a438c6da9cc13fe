import { expect, test } from '../../patchbay.ts';
import { begin, choose } from './hostile.ts';

// What a hostile server says of its tools; answers.spec.ts has what it answers and sends.

test('hostile schemas and descriptions of tools', async ({ app }) => {
  test.setTimeout(300_000);
  const { step, end } = await begin(app);
  const names = [
    ...['texts', 'pattern', 'url', 'alternatives', 'all_of', 'any_of', 'refs', 'itself', 'wide', 'nested', 'choices', 'large', 'defaults'],
    ...['about_table', 'about_nested', 'about_quotes', 'about_brackets', 'about_stars', 'about_blanks', 'about_links', 'hidden'],
  ];
  for (const name of names) {
    await step(
      name,
      () => choose(app, name),
      async () => {
        await choose(app, 'log');
        await choose(app, name);
      },
    );
  }
  await choose(app, 'pattern');
  await expect(app.arguments.getByText('Not checked: checking against this schema takes too long')).toBeVisible();
  await app.callTool();
  await expect(app.result).toContainText('done');
  end();
});
