const SOURCES = import.meta.glob<string>('../../../../../docs/src/**/*.md', {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** The documentation by path below `docs/src`, as written: the same files as the site's. */
export const PAGES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(SOURCES).map(([path, text]) => [path.replace(/^.*docs\/src\//, ''), text]),
);
