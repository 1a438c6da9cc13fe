import { expect, test } from '../../httpServer.ts';
import { peer } from '../../commands.ts';
import { callWith } from '../../inbox/dialog.ts';
import { EXAMPLES, add, addEverything, addPython, addStory } from './servers.ts';

test('everything: a sum by form and by JSON, run again and compared', async ({ app }) => {
  await addEverything(app);
  await app.selectTool('get-sum');
  await app.arguments.getByLabel(/^a\b/).first().fill('40');
  await app.arguments.getByLabel(/^b\b/).first().fill('2');
  await app.callTool();
  await expect(app.result).toContainText('The sum of 40 and 2 is 42.');
  await app.writeArguments('{"a": 40, "b": 3}');
  await app.callTool();
  await expect(app.result).toContainText('The sum of 40 and 3 is 43.');
  await app.arguments.getByText('Form', { exact: true }).click();
  await expect(app.arguments.getByLabel(/^b\b/).first()).toHaveValue('3');
  await app.result.getByRole('button', { name: 'Compare with another run' }).click();
  await expect(app.page.getByRole('region', { name: 'Difference' })).toContainText('1 change');

  // Wrong on purpose: after a warning, and the server says what it makes of it.
  await app.writeArguments('{"a": "forty"}');
  await app.arguments.getByRole('button', { name: 'Call tool' }).click();
  await expect(app.arguments.getByRole('list', { name: /problem/ })).toContainText('must be a number');
  await app.page.getByRole('button', { name: 'Send anyway' }).click();
  await expect(app.resultStatus).toHaveText('Tool error');
  await expect(app.result).toContainText(/expected number/i);
});

test('everything: what all of its tools have in common is said once, and no tool looks broken', async ({ app }) => {
  await addEverything(app);
  // One line, which says more on demand.
  const problems = app.tools.getByRole('list', { name: 'Problems in the list' });
  await expect(problems).toBeHidden();
  await app.tools.getByText('1 note in the list').click();
  await expect(problems.getByRole('listitem')).toHaveCount(1);
  await expect(problems).toContainText(/^\d+ tools: the dialect is http:\/\/json-schema\.org\/draft-07/);
  await expect(app.toolRows.filter({ hasText: 'echo' })).toBeVisible();
  await expect(app.toolRows.getByRole('img', { name: /problem/ })).toHaveCount(0);
});

test('everything: structured content is checked against its output schema', async ({ app }) => {
  await addEverything(app);
  await app.selectTool('get-structured-content');
  await app.arguments.getByRole('combobox', { name: /^location/ }).click();
  await app.page.getByRole('option', { name: 'Chicago' }).click();
  await app.callTool();
  const structured = app.result.getByRole('region', { name: 'Structured content', exact: true }).first();
  await expect(structured).toContainText('Light rain / drizzle');
  await expect(structured).toContainText(/matches the output schema/i);
  await app.page.getByRole('radiogroup', { name: 'Part of the definition' }).getByText('Output', { exact: true }).click();
  await expect(app.page.getByRole('region', { name: 'Definition' })).toContainText('Temperature in celsius');
});

test('everything: an image is drawn, links and an embedded resource open in Resources', async ({ app }) => {
  await addEverything(app);
  await callWith(app, 'get-tiny-image');
  const image = app.result.locator('img').first();
  await expect.poll(() => image.evaluate((node: HTMLImageElement) => node.naturalWidth)).toBe(20);

  await callWith(app, 'get-resource-links', { count: 3 });
  const links = app.result.getByRole('region', { name: /resource_link/ });
  await expect(links).toHaveCount(3);
  await links.filter({ hasText: 'Text Resource 2' }).getByRole('button').first().click();
  await expect(app.page.getByRole('tab', { name: 'Resources' })).toHaveAttribute('aria-selected', 'true');
  await app.page.getByRole('button', { name: 'Read', exact: true }).click();
  await expect(app.result).toContainText('Resource 2: This is a plaintext resource');

  await app.page.getByRole('tab', { name: 'Tools' }).click();
  await callWith(app, 'get-resource-reference', { resourceType: 'Blob', resourceId: 7 });
  await expect(app.result).toContainText('demo://resource/dynamic/blob/7');
  await expect(app.result.getByRole('region', { name: /: resource$/ })).toBeVisible();

  // Annotations of a block are said.
  await callWith(app, 'get-annotated-message', { messageType: 'error', includeImage: true });
  await expect(app.result).toContainText(/priority 1/);
});

test('everything: progress is shown to its end, and a call is cancelled', async ({ app }) => {
  await addEverything(app);
  await callWith(app, 'trigger-long-running-operation', { duration: 8, steps: 4 });
  await expect(app.result.getByRole('progressbar')).toBeVisible();
  await expect(app.result).toContainText('Long running operation completed');
  await callWith(app, 'trigger-long-running-operation', { duration: 600, steps: 5 });
  await app.result.getByRole('button', { name: 'Cancel' }).click();
  await expect(app.resultStatus).toHaveText('Cancelled');
});

for (const era of ['legacy', 'modern'] as const) {
  test(`python, ${era}: every type of content, progress, and the two kinds of errors`, async ({ app, listening }) => {
    await addPython(app, listening, era);
    await callWith(app, 'test_simple_text');
    await expect(app.result).toContainText('This is a simple text response for testing.');
    await callWith(app, 'test_image_content');
    await expect.poll(() => app.result.locator('img').evaluate((node: HTMLImageElement) => node.naturalWidth)).toBe(1);
    await callWith(app, 'test_audio_content');
    await expect(app.result.locator('audio')).toHaveCount(1);
    await callWith(app, 'test_multiple_content_types');
    await expect(app.result.getByRole('region', { name: /^Content \d of 3/ })).toHaveCount(3);
    await expect(app.result).toContainText('test://mixed-content-resource');
    await callWith(app, 'test_tool_with_progress');
    await expect(app.resultStatus).toHaveText('Result');
    await callWith(app, 'test_error_handling');
    await expect(app.resultStatus).toHaveText('Tool error');
    await app.filterTraffic('method:notifications/progress');
    await expect(app.trafficRows).toHaveCount(3);
  });
}

test('python: a schema with anchors, conditions and alternatives makes a form that knows them', async ({ app, listening }) => {
  await addPython(app, listening, 'modern');
  await app.selectTool('json_schema_2020_12_tool');
  // `else` requires it as long as there is no method.
  await expect(app.arguments.getByRole('textbox', { name: 'email*' })).toBeVisible();
  await app.arguments.getByLabel('street', { exact: true }).fill('Main Street 1');
  await app.arguments.getByRole('combobox', { name: /^contactMethod/ }).click();
  await app.page.getByRole('option', { name: 'phone' }).click();
  await app.arguments.getByRole('button', { name: 'Call tool' }).click();
  // `then` requires it.
  await expect(app.arguments.getByRole('list', { name: /problem/ })).toContainText('phone is required');
  await app.arguments.getByRole('textbox', { name: 'phone*' }).fill('1');
  await app.callTool();
  await expect(app.resultStatus).toHaveText('Result');
});

test('schema_validators: nested objects by reference, and a free one', async ({ app }) => {
  await addStory(app, 'schema_validators', 'modern');
  await app.selectTool('greet_pydantic');
  await app.arguments.getByRole('textbox', { name: 'name*' }).fill('Ada');
  await app.callTool();
  await expect(app.result).toContainText('Hello Ada, my friend');
  await app.selectTool('greet_dict');
  await app.writeArguments('{"who": {"name": "Grace", "title": "admiral"}}');
  await app.arguments.getByText('Form', { exact: true }).click();
  await expect(app.arguments.getByRole('textbox', { name: 'who, JSON' })).toContainText('"title": "admiral"');
  await app.callTool();
  await expect(app.result).toContainText('Hello Grace, my admiral');
});

test('tools: another version of a server has changed definitions, which are shown and accepted before a call', async ({ app }) => {
  await addStory(app, 'tools', 'modern');
  await callWith(app, 'calc', { op: 'add', a: 1, b: 2 });
  await expect(app.resultStatus).toHaveText('Result');
  await app.serverMenu('tools', 'Edit…');
  const dialog = app.page.getByRole('dialog', { name: 'Edit tools' });
  await dialog.getByLabel('Argument 2', { exact: true }).fill('stories.tools.server_lowlevel');
  await dialog.getByRole('button', { name: 'Save and restart' }).click();
  await expect(dialog).toBeHidden();
  const strip = app.tools.getByRole('status').filter({ hasText: 'since' });
  await expect(strip).toContainText('2 tools changed');
  await app.selectTool('calc');
  await app.arguments.getByRole('button', { name: 'Call tool' }).click();
  const review = app.page.getByRole('dialog', { name: /^Tool definitions of/ });
  await expect(review.getByRole('heading', { name: 'calc' })).toBeVisible();
  await review.getByRole('button', { name: 'Accept all' }).click();
  await expect(review).toBeHidden();
  await app.callTool();
  await expect(app.result).toContainText('1.0 add 2.0 = 3.0');
});

test('filesystem: a tool of a server with roots, and its result', async ({ app }) => {
  const command = peer('mcp-server-filesystem');
  if (command === undefined) throw new Error('mcp-server-filesystem is missing; `cargo xtask peers` installs it');
  await add(app, 'files', { command, args: [EXAMPLES] });
  await callWith(app, 'list_directory', { path: EXAMPLES });
  await expect(app.result).toContainText('[DIR] stories');
});
