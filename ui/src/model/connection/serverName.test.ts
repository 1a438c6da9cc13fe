import { expect, it } from 'vitest';
import type { ImplementationItem } from '../../contract/generated';
import { addressBeside, fullName, shownName } from './serverName';
import { connection, server } from '../servers/servers.fixture';

const own = (part: Partial<ImplementationItem>): ImplementationItem => ({
  name: 'weather-mcp',
  title: null,
  version: null,
  ...part,
});

function at(url: string, name: string, implementation: ImplementationItem | null) {
  const item = server(name, connection({ state: 'ready', server: implementation }));
  const transport = {
    type: 'http',
    url,
    kind: 'auto',
    headers: [],
    proxy: { type: 'system' },
    caFile: null,
    clientCertificate: null,
    acceptedFingerprint: null,
  } as const;
  return { ...item, draft: { ...item.draft, transport: { ...transport, headers: [] } } };
}

it('is what a server calls itself if it was added by its address', () => {
  const local = 'http://127.0.0.1:43635/mcp';
  expect(shownName(at(local, '127.0.0.1:43635', own({ title: 'Weather' })))).toBe('Weather');
  expect(shownName(at(local, '127.0.0.1:43635 2', own({ title: ' ' })))).toBe('weather-mcp');
  expect(addressBeside(at(local, '127.0.0.1:43635', own({})))).toBe('127.0.0.1:43635');
  expect(shownName(at(local, '127.0.0.1:43635', own({ name: 'x'.repeat(5_000) })))).toHaveLength(100);
});

it('has its address beside it where a name that it gives itself could be that of another server', () => {
  const local = 'http://127.0.0.1:43635/mcp';
  expect(fullName(at(local, '127.0.0.1:43635 2', own({ title: 'Weather' })))).toBe(
    'Weather (127.0.0.1:43635 2)',
  );
  expect(fullName(at(local, '127.0.0.1:43635', null))).toBe('127.0.0.1:43635');
  expect(fullName(at(local, 'mine', own({ title: 'Weather' })))).toBe('mine');
});

it('is the name that the user gave, and the address while there is no other', () => {
  const local = 'http://127.0.0.1:43635/mcp';
  expect(shownName(at(local, 'mine', own({ title: 'Weather' })))).toBe('mine');
  expect(shownName(at(local, '127.0.0.1:43635', null))).toBe('127.0.0.1:43635');
  expect(shownName(at(local, '127.0.0.1:43635', own({ name: '' })))).toBe('127.0.0.1:43635');
  expect(shownName(at('not a URL', 'not', own({})))).toBe('not');
  expect(addressBeside(at(local, 'mine', own({})))).toBeNull();
  expect(shownName(server('program', connection({ server: own({}) })))).toBe('program');
});

/** Where the name in the settings is meant: what is saved, what is sent, and what a notification may say. */
const OF_SETTINGS = [
  'model/connection/serverName.ts',
  'model/inbox/notices.ts',
  'model/workspace/actions.ts',
  'panels/chat/composer/useOffers.ts',
  'panels/explore/result/CopyMenu.tsx',
  'panels/servers/DraftChoice.tsx',
  'panels/servers/ServerDialog.tsx',
  'panels/servers/bundle/ReviewForm.tsx',
  'panels/servers/import/HostServerRow.tsx',
  'widgets/traffic/TrafficRow.tsx',
];
const SOURCES = import.meta.glob<string>('../../{app,content,model,panels,widgets}/**/*.{ts,tsx}', {
  query: '?raw',
  import: 'default',
  eager: true,
});

it('is nowhere else the name in the settings, by which servers of one host cannot be told apart', () => {
  const found = Object.entries(SOURCES)
    .filter(([path, text]) => !/\.test\.|\.fixture\./.test(path) && /draft\.name\b|draft: \{ name/.test(text))
    .map(([path]) =>
      path
        .replace('../../', '')
        .replace(/^\.\.\//, 'model/')
        .replace(/^\.\//, 'model/connection/'),
    );
  expect(found.toSorted()).toEqual(OF_SETTINGS);
});
