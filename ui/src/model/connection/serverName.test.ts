import { expect, it } from 'vitest';
import type { ImplementationItem } from '../../contract/generated';
import { addressBeside, shownName } from './serverName';
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

it('is the name that the user gave, and the address while there is no other', () => {
  const local = 'http://127.0.0.1:43635/mcp';
  expect(shownName(at(local, 'mine', own({ title: 'Weather' })))).toBe('mine');
  expect(shownName(at(local, '127.0.0.1:43635', null))).toBe('127.0.0.1:43635');
  expect(shownName(at(local, '127.0.0.1:43635', own({ name: '' })))).toBe('127.0.0.1:43635');
  expect(shownName(at('not a URL', 'not', own({})))).toBe('not');
  expect(addressBeside(at(local, 'mine', own({})))).toBeNull();
  expect(shownName(server('program', connection({ server: own({}) })))).toBe('program');
});
