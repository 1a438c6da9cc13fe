import { expect } from '@playwright/test';
import type { Screen } from '../screen.ts';

/** Opens the model providers from the palette. */
export async function openProviders({ page }: Screen): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByLabel('Command palette').fill('model providers');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Model providers' })).toBeVisible();
}

/** Adds a scripted provider that needs no key; the dialog stays open. */
export async function addProvider(app: Screen, url: string, model: string): Promise<void> {
  await openProviders(app);
  const { page } = app;
  await page.getByRole('button', { name: 'Add a provider' }).click();
  await page.getByRole('menuitem', { name: 'Ollama' }).click();
  const form = page.getByRole('form', { name: 'Model provider' });
  await form.getByLabel('Name').fill('Local');
  await form.getByLabel('Base URL').fill(url.replace('/v1', '/open/v1'));
  await form.getByRole('button', { name: 'List models' }).click();
  await expect(form.getByText(/^\d+ models$/)).toBeVisible();
  await form.getByLabel('Default model').fill(model);
  await page.keyboard.press('Tab');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('list', { name: 'Model providers' })).toContainText('Local');
}
