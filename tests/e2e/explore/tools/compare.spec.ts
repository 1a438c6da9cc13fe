import { expect, test } from '../../patchbay.ts';
import type { Screen } from '../../screen.ts';

const comparison = (app: Screen) => app.page.getByRole('region', { name: 'Comparison' });
const difference = (app: Screen) => app.page.getByRole('region', { name: 'Difference' });

async function call(app: Screen, json: string): Promise<void> {
  await app.writeArguments(json);
  await app.callAndWait();
  await expect(app.resultStatus).toHaveText('Result');
}

test('a result is compared with an earlier run, by content, structure and arguments', async ({ app }) => {
  await app.connectDemo();
  await app.selectTool('convert');
  const compare = app.result.getByRole('button', { name: 'Compare with another run' });
  await call(app, '{"value": 1, "from": "celsius", "to": "kelvin"}');
  await expect(compare).toBeHidden();
  await call(app, '{"to": "kelvin", "from": "celsius", "value": 2}');
  await call(app, '{"from": "celsius", "value": 1, "to": "kelvin"}');
  await compare.click();
  await expect(difference(app)).toContainText(/\d+ change/);
  await comparison(app).getByText('Structured', { exact: true }).click();
  await expect(difference(app)).toContainText('1 change');
  await comparison(app).getByText('Arguments', { exact: true }).click();
  await expect(difference(app)).toContainText('1 change');
  await expect(difference(app)).toContainText('"value": 2');
  // The first run had the same arguments, with its keys in another order.
  await comparison(app).getByRole('combobox', { name: 'Before' }).click();
  await app.page.getByRole('option').last().click();
  await expect(difference(app)).toContainText('No difference');
  await comparison(app).getByRole('button', { name: 'End comparison' }).click();
  await expect(comparison(app)).toBeHidden();
});

test('any two runs are compared from the history, an error with a result', async ({ app }) => {
  await app.connectDemo();
  await app.selectTool('add');
  await call(app, '{"a": 1, "b": 2}');
  await app.writeArguments('{"a": "<img src=x onerror=document.title=1>"}');
  await app.callTool();
  await app.page.getByRole('button', { name: 'Send anyway' }).click();
  await expect(app.resultStatus).not.toHaveText(/Running|Result/);
  await app.arguments.getByRole('button', { name: '2 calls' }).click();
  await app.page.getByRole('menuitem', { name: 'Compare with the shown run' }).last().click();
  await app.page.keyboard.press('Escape');
  await comparison(app).getByText('Arguments', { exact: true }).click();
  await expect(difference(app)).toContainText('<img src=x');
  await expect(difference(app).locator('img')).toHaveCount(0);
});

test('of results with megabytes, the beginning is compared', async ({ app }) => {
  await app.connectDemo();
  await app.selectTool('large_result');
  for (const bytes of [10_000_000, 10_500_000]) {
    await call(app, `{"bytes": ${bytes}, "kind": "text"}`);
  }
  await app.result.getByRole('button', { name: 'Compare with another run' }).click();
  await expect(comparison(app).getByRole('note')).toContainText('only the first');
  await expect(difference(app)).toContainText(/No difference|change/);
});
