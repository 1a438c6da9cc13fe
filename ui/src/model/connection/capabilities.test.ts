import { expect, it } from 'vitest';
import { readCapabilities } from './capabilities';

it('reads every capability, known or not, as a row', () => {
  const json =
    '{"tools":{"listChanged":true,"x":false},"logging":{},"tasks":{"requests":{"tools":{"call":{}}}},"experimental":{"a/b":{"n":1.10}}}';
  expect(readCapabilities(json)).toEqual([
    { name: 'tools', settings: 'listChanged, no x' },
    { name: 'logging', settings: '' },
    { name: 'tasks', settings: 'requests: {"tools":{"call":{}}}' },
    { name: 'experimental a/b', settings: 'n: 1.10' },
  ]);
});

it('says when there is nothing to read', () => {
  expect(readCapabilities('[]')).toBeNull();
  expect(readCapabilities('{')).toBeNull();
});
