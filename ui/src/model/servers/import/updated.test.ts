import { describe, expect, it } from 'vitest';
import type { ServerDraft } from '../../../contract/generated';
import { updated } from './updated';

const http = {
  type: 'http',
  url: 'https://site.example/old',
  kind: 'auto',
  headers: [],
  proxy: { type: 'none' },
  caFile: '/ca.pem',
  clientCertificate: '/me.pem',
  acceptedFingerprint: 'ab',
} as const;
const ours = { name: 'site', transport: http } as unknown as ServerDraft;
const theirs = {
  ...http,
  headers: [],
  proxy: { type: 'app' },
  caFile: null,
  clientCertificate: null,
  acceptedFingerprint: null,
} as const;

describe('an update from another host', () => {
  it('keeps the proxy and what is trusted for the same server', () => {
    const url = 'https://site.example/mcp';
    expect(updated(ours, { ...theirs, headers: [], url })).toEqual({
      name: 'site',
      transport: { ...http, headers: [], url },
    });
  });

  it('trusts another server in nothing', () => {
    const { transport } = updated(ours, { ...theirs, headers: [], url: 'https://other.example/mcp' });
    expect(transport).toMatchObject({
      proxy: { type: 'none' },
      caFile: '/ca.pem',
      clientCertificate: null,
      acceptedFingerprint: null,
    });
  });

  it('makes a program of it', () => {
    const program = { type: 'stdio', command: 'x', args: [], env: [], cwd: null } as const;
    const { transport } = updated(ours, { ...program, args: [], env: [] });
    expect(transport).toEqual(program);
  });
});
