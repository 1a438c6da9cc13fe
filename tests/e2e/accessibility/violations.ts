import { AxeBuilder } from '@axe-core/playwright';
import { type Page, expect } from '@playwright/test';

/**
 * What axe finds on the screen, of any impact and by all its rules (WCAG 2.0 to 2.2 A and AA, best practices), in both
 * themes, one line each. `within`: only there. What an app of a server draws is not ours.
 */
export async function violations(page: Page, within?: string): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
    const whole = new AxeBuilder({ page }).exclude('iframe').setLegacyMode();
    const axe = within === undefined ? whole : whole.include(within);
    // Of all rules, one looks at colours.
    const { violations: all } = await (colorScheme === 'dark' ? axe.withRules('color-contrast') : axe).analyze();
    for (const { id, impact, nodes } of all) {
      for (const { target, html } of nodes) {
        found.push(`${colorScheme}: ${id} (${impact}): ${target.join(' ')}: ${html.slice(0, 160)}`);
      }
    }
  }
  return found;
}
