import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

const file = (path: string): string => new URL(path, import.meta.url).pathname;

// What the window loads right after its first paint, whatever is opened first (`Part.preload`).
const ahead =
  /src\/panels\/(authorization\/AuthorizationPanel|chat\/ChatPanel|explore\/\w+\/\w+Panel|traffic\/TrafficDetail)\.tsx$/;

// One build serves the window (tauri://) and the browser front (http://127.0.0.1): relative addresses,
// no inline scripts and no data: URLs, because both send a strict Content-Security-Policy.
export default defineConfig({
  base: './',
  plugins: [react()],
  clearScreen: false,
  resolve: {
    alias: [
      // Its build for browsers needs a document, which a worker does not have.
      {
        find: 'decode-named-character-reference',
        replacement: file('node_modules/decode-named-character-reference/index.js'),
      },
      // Marks hidden characters in everything that is drawn.
      { find: /^react\/jsx-runtime$/, replacement: file('src/widgets/text/jsxRuntime.ts') },
      { find: 'react-jsx-runtime-itself', replacement: file('node_modules/react/jsx-runtime.js') },
    ],
  },
  // Workers share code with the window, which needs modules.
  worker: { format: 'es' },
  // Help shows the pages of the documentation.
  server: { port: 1420, strictPort: true, host: '127.0.0.1', fs: { allow: [file('.'), file('../docs')] } },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 2000,
    modulePreload: { polyfill: false },
    // Two files instead of the dozens of small ones that modules shared between panels make: each costs a request.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'index', tags: ['$initial'], priority: 1 },
            { name: 'panels', test: ahead },
          ],
        },
      },
    },
  },
  test: {
    // The files of a project that one worker runs share their modules, so the projects run one after the other: loading the
    // modules for each file took half of the time of a run.
    projects: [
      {
        extends: true,
        test: {
          name: 'logic',
          isolate: false,
          sequence: { groupOrder: 1 },
          environment: 'node',
          include: ['src/**/*.test.ts'],
          setupFiles: ['./vitest.setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'components',
          isolate: false,
          sequence: { groupOrder: 2 },
          environment: 'jsdom',
          include: ['src/**/*.test.tsx'],
          setupFiles: ['./vitest.setup.ts', './vitest.setup.dom.ts'],
        },
      },
    ],
    // All cores: by default one is left free, which is half of a machine of two.
    maxWorkers: '100%',
    restoreMocks: true,
    // Component tests are slow on a loaded machine of two cores; a hanging one still ends.
    testTimeout: 30_000,
    expect: { poll: { timeout: 15_000 } },
    // Only what a test reads.
    css: { include: [/(tokens|global)\.css/] },
  },
});
