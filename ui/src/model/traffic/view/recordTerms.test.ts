import { expect, it } from 'vitest';
import { row } from '../trafficRows.fixture';
import { recordTerms } from './recordTerms';

const terms = (part: Parameters<typeof row>[1]): string[] =>
  recordTerms(row(1, part)).map(({ term }) => term);

it('has the terms that find a record and what is like it', () => {
  expect(
    terms({
      kind: 'request',
      method: 'tools/call',
      tool: 'echo',
      status: 'toolError',
      rpcId: '7',
      operation: '12',
      rules: ['id-null'],
    }),
  ).toEqual([
    'method:tools/call',
    'tool:echo',
    'status:toolError',
    'kind:request',
    'server:everything',
    'rule:id-null',
    'id:7',
    'op:12',
  ]);
});

it('puts a value that would mean something else into quotes', () => {
  const [method, , server, id] = terms({
    method: 'a*, "b"\\',
    serverName: 'my server',
    rpcId: '"x"',
  });
  expect([method, server, id]).toEqual(['method:"a\\*, \\"b\\"\\\\"', 'server:"my server"', 'id:"\\"x\\""']);
});

it('says what each finds, and leaves out what no filter can have', () => {
  const all = recordTerms(row(1, { method: 'a\nb', tool: 'x'.repeat(201), serverName: '' }));
  expect(all.map(({ term }) => term)).toEqual(['kind:notification', 'server:s1']);
  expect(all.map(({ meaning }) => meaning)).toContain('records of a server');
});
