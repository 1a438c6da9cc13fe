import { defineConfig } from '@playwright/test';

/** The Chromium that `PATCHBAY_CHROMIUM` names, or Playwright's own. As root it needs `--no-sandbox`. */
export default defineConfig({
  testMatch: '*.spec.ts',
  fullyParallel: true,
  workers: 2,
  retries: 0,
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  outputDir: 'test-results',
  use: {
    viewport: { width: 1440, height: 900 },
    // An action that cannot be done fails where it is, not with the whole test.
    actionTimeout: 30_000,
    // Recording a trace of every test costs a fifth of the run. A failed test leaves what was on the page; for a trace, add `--trace on`.
    trace: 'off',
    launchOptions: {
      executablePath: process.env.PATCHBAY_CHROMIUM,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
