import { describe, expect, it } from 'vitest';
import { extensionRows, readClientDetails, readServerDetails } from './handshake';

describe('what a server says about itself', () => {
  it('is read in both eras', () => {
    const info = '{"name":"n","description":"What it does","websiteUrl":"https://a.example"}';
    for (const result of [
      `{"serverInfo":${info}}`,
      `{"_meta":{"io.modelcontextprotocol/serverInfo":${info}},"ttlMs":5000,"cacheScope":"private"}`,
    ]) {
      expect(readServerDetails(result)).toMatchObject({
        description: 'What it does',
        websiteUrl: 'https://a.example',
      });
    }
    expect(readServerDetails('{"ttlMs":5000,"cacheScope":"private"}')).toMatchObject({
      ttlMs: 5000,
      cacheScope: 'private',
    });
  });

  it('has icons, of which only images that need no request are shown', () => {
    const png = 'data:image/png;base64,AA';
    const sources = [
      png,
      'https://a.example/i.png',
      'data:image/svg+xml,<svg onload=x>',
      'javascript:alert(1)',
      `${png}${'A'.repeat(70_000)}`,
      '',
    ];
    const icons = sources.map((src) => ({ src, sizes: ['48x48', 7], mimeType: 'image/png' }));
    const { icons: read } = readServerDetails(JSON.stringify({ serverInfo: { icons: [...icons, 7] } }));
    expect(read.map(({ shown, refusal }) => shown ?? refusal)).toEqual([
      png,
      'not fetched',
      'SVG may contain scripts or take minutes to render',
      'only https: URLs and data: images are allowed',
      'larger than 64 kB',
      'no URL',
      'no URL',
    ]);
    expect(read[0]).toMatchObject({ sizes: '48x48', mimeType: 'image/png' });
    expect(read[4]?.address.length).toBe(201);
  });

  it('may be anything', () => {
    for (const result of ['{', '[]', '7', '{"serverInfo":[],"ttlMs":"x"}', '{"serverInfo":{"icons":{}}}']) {
      expect(readServerDetails(result)).toEqual({
        description: null,
        websiteUrl: null,
        icons: [],
        ttlMs: null,
        cacheScope: null,
      });
    }
  });
});

it('what Patchbay sent is read in both eras', () => {
  expect(
    readClientDetails('{"params":{"protocolVersion":"2025-11-25","clientInfo":{"name":"p","version":"1"}}}'),
  ).toEqual({ client: 'p 1', revision: '2025-11-25' });
  expect(
    readClientDetails(
      '{"params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"p"}}}}',
    ),
  ).toEqual({ client: 'p', revision: '2026-07-28' });
  expect(readClientDetails('{')).toEqual({ client: null, revision: null });
});

it('extensions of both sides are compared', () => {
  expect(extensionRows('{"extensions":{"b":{},"a":{}}}', '{"extensions":{"b":{},"c":{}}}')).toEqual([
    { name: 'a', server: true, client: false },
    { name: 'b', server: true, client: true },
    { name: 'c', server: false, client: true },
  ]);
  expect(extensionRows(null, '{"extensions":[]}')).toEqual([]);
});
