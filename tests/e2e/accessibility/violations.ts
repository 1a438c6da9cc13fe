import { type Page, expect } from '@playwright/test';
import axe, { type NodeResult, type RunOptions } from 'axe-core';

/** An element that breaks a rule, in one of the themes. */
export interface Violation {
  theme: 'dark' | 'light';
  rule: string;
  impact: string;
  node: NodeResult;
}

/**
 * The elements on the screen that break a rule of axe, in the themes for which `rulesOf` names rules (`'all'`: those that are
 * on by default). `within`: only there. What an app of a server draws is not ours.
 */
export async function broken(page: Page, rulesOf: Partial<Record<Violation['theme'], 'all' | string[]>>, within?: string): Promise<Violation[]> {
  const found: Violation[] = [];
  // The page reads its 1.3 MB once.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  for (const theme of ['dark', 'light'] as const) {
    const rules = rulesOf[theme];
    if (rules === undefined) continue;
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', theme);
    // No selectors are made for what breaks no rule.
    const options: RunOptions = { iframes: false, resultTypes: ['violations'] };
    if (rules !== 'all') options.runOnly = { type: 'rule', values: rules };
    const context = { include: within === undefined ? undefined : [within], exclude: ['iframe'] };
    const { violations: all } = await page.evaluate(
      (args) => (globalThis as unknown as { axe: typeof axe }).axe.run(args.context as axe.ElementContext, args.options),
      { context, options },
    );
    for (const { id: rule, impact, nodes } of all) {
      found.push(...nodes.map((node) => ({ theme, rule, impact: impact ?? '', node })));
    }
  }
  return found;
}

/**
 * What axe finds on the screen, of any impact and by all its rules (WCAG 2.0 to 2.2 A and AA, best practices), in both
 * themes, one line each. `within`: only there.
 */
export async function violations(page: Page, within?: string): Promise<string[]> {
  // Of all rules, one looks at colours.
  const found = await broken(page, { dark: ['color-contrast'], light: 'all' }, within);
  return found.map(({ theme, rule, impact, node }) => `${theme}: ${rule} (${impact}): ${node.target.join(' ')}: ${node.html.slice(0, 160)}`);
}
