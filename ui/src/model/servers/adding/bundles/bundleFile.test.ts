// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import type { BundleId, BundleReview } from '../../../../contract/generated';
import { CommandFailure } from '../../../../host/host';
import { ScriptedHost } from '../../../../host/scripted';
import { bundleName, isBundleName, openBundle } from './bundleFile';

const ID = 'b1' as BundleId;

function scripted() {
  return new ScriptedHost({
    bundle_upload: () => ({ bundleId: ID }),
    bundle_open: () => ({ bundleId: ID, title: 'Hello' }) as BundleReview,
    bundle_close: () => ({}),
  });
}

describe('openBundle', () => {
  it('sends a file in parts, and opens what arrived', async () => {
    const host = scripted();
    const parts: number[] = [];
    const file = new File([new Uint8Array(4 * 1024 * 1024)], 'a.mcpb');
    const progress = (part: number): void => void parts.push(part);
    const review = await openBundle(host, { type: 'file', file }, progress, new AbortController().signal);
    expect(review.title).toBe('Hello');
    expect(host.calls.map(({ name }) => name)).toEqual(['bundle_upload', 'bundle_upload', 'bundle_open']);
    expect(host.calls.map(({ params }) => (params as { bundleId?: string | null }).bundleId)).toEqual([
      null,
      ID,
      undefined,
    ]);
    // Without padding, so that the parts continue each other.
    expect(host.calls[0]?.params).toMatchObject({ data: expect.not.stringContaining('=') as string });
    expect(parts).toEqual([0.75, 1]);
  });

  it('leaves the reading of a path to the engine', async () => {
    const host = scripted();
    await openBundle(host, { type: 'path', path: '/x/a.mcpb' }, () => {}, new AbortController().signal);
    expect(host.calls).toEqual([
      { name: 'bundle_open', params: { source: { type: 'path', path: '/x/a.mcpb' } } },
    ]);
  });

  it('stops when it is cancelled, and has what was sent forgotten', async () => {
    const host = scripted();
    const controller = new AbortController();
    controller.abort();
    const file = new File(['x'], 'a.mcpb');
    const opened = openBundle(host, { type: 'file', file }, () => {}, controller.signal);
    await expect(opened).rejects.toThrow(/aborted/i);
    expect(host.calls.map(({ name }) => name)).toEqual(['bundle_upload', 'bundle_close']);
  });

  it('has what was sent forgotten when a part fails', async () => {
    const host = new ScriptedHost({
      bundle_upload: ({ bundleId }) =>
        bundleId === null
          ? { bundleId: ID }
          : new CommandFailure({ code: 'storage', message: 'No space is left.', detail: null }),
      bundle_close: () => ({}),
    });
    const file = new File([new Uint8Array(4 * 1024 * 1024)], 'a.mcpb');
    const opened = openBundle(host, { type: 'file', file }, () => {}, new AbortController().signal);
    await expect(opened).rejects.toThrow('No space is left.');
    expect(host.calls.map(({ name }) => name)).toEqual(['bundle_upload', 'bundle_upload', 'bundle_close']);
    expect(host.calls[2]?.params).toEqual({ bundleId: ID });
  });
});

it('knows a bundle by its name', () => {
  expect(['a.mcpb', 'A.DXT', 'a.json', 'mcpb'].map(isBundleName)).toEqual([true, true, false, false]);
  expect(bundleName({ type: 'path', path: 'C:\\x\\a.mcpb' })).toBe('a.mcpb');
  expect(bundleName({ type: 'path', path: '/x/a.mcpb' })).toBe('a.mcpb');
});
