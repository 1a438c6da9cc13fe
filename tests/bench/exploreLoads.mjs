// What both parts of the benchmark `explore` measure.
export const TOOLS = 5_000;
export const RESOURCES = 10_000;

/** The lists: where each is in the window, what it says when it is there, and a search that narrows it key by key. */
export const LISTS = [
  {
    name: 'tools',
    tab: 'Tools',
    list: 'Tools',
    find: 'Search tools',
    count: '5,0\\d\\d tools',
    first: 'filler_0000',
    method: 'tools/list',
    query: 'filler_2512',
  },
  {
    name: 'resources',
    tab: 'Resources',
    list: 'Resources',
    find: 'Search resources',
    count: '10,000 resources',
    first: 'archive',
    method: 'resources/list',
    query: 'entry_05123',
  },
];

/** The results: JSON text of this many bytes. */
export const RESULTS = [
  { name: '1mb', bytes: 1_000_000, runs: 5, besidePeer: true },
  { name: '10mb', bytes: 10_000_000, runs: 5, besidePeer: false },
  { name: '50mb', bytes: 50_000_000, runs: 3, besidePeer: false },
];
