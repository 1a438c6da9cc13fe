import { expect, test } from '../httpServer.ts';
import { addModel, begin, send } from './steps.ts';

/** A red pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

test('files are picked, pasted and dropped; what a model cannot take is refused', async ({ app, models }) => {
  const provider = await models('any');
  const { page } = app;
  await app.connectDemo();
  await addModel(app, provider.url, 'script');
  await begin(app);
  const attached = page.getByRole('list', { name: 'Attached to the next message' });
  await page.getByLabel('Files to attach').setInputFiles([
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Remember the milk') },
    { name: 'pixel.png', mimeType: 'image/png', buffer: PNG },
  ]);
  await expect(attached.getByRole('listitem')).toHaveCount(2);
  await expect(attached).toContainText('your file');
  await attached.getByText('pixel.png').click();
  await expect(attached.getByRole('img', { name: 'Preview of pixel.png' })).toBeVisible();

  // Pasted into the message, and dropped on the conversation.
  const give = (type: 'paste' | 'drop', name: string) =>
    page.evaluate(
      ([how, file]) => {
        const data = new DataTransfer();
        data.items.add(new File(['From the ' + how], file, { type: 'text/plain' }));
        const place = document.querySelector(how === 'paste' ? 'textarea[aria-label="Message"]' : '[aria-label="Messages"]');
        const init = { bubbles: true, cancelable: true };
        place?.dispatchEvent(
          how === 'paste'
            ? new ClipboardEvent('paste', { ...init, clipboardData: data })
            : new DragEvent('drop', { ...init, dataTransfer: data }),
        );
      },
      [type, name] as const,
    );
  await give('paste', 'pasted.txt');
  await expect(attached.getByRole('listitem')).toHaveCount(3);
  await give('drop', 'dropped.txt');
  await expect(attached.getByRole('listitem')).toHaveCount(4);
  await attached.getByRole('button', { name: 'Remove pasted.txt' }).click();
  await expect(attached.getByRole('listitem')).toHaveCount(3);

  await page.getByLabel('Files to attach').setInputFiles([
    { name: 'a.zip', mimeType: 'application/zip', buffer: Buffer.from([80, 75, 3, 4, 0, 0xff]) },
  ]);
  await expect(page.getByRole('alert')).toContainText('a.zip is application/zip');
  await send(page, 'Look');
  await expect(page.getByRole('log', { name: 'Messages' })).toContainText('You said:');
  const seen = await (await fetch(new URL('/seen', provider.url))).text();
  expect(seen).toContain('data:image/png;base64,');
  expect(seen).toContain('Remember the milk');
  expect(seen).toContain('From the drop');
  expect(seen).not.toContain('From the paste');
});
