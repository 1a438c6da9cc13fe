// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import type { FileContent, HostFile } from '../../../../contract/generated';
import { CommandFailure } from '../../../../host/host';
import { ScriptedHost } from '../../../../host/scripted';
import { createWorkspace } from '../../../workspace/workspace';
import { dialogFor, openDropped, reviewFrom, takesDrops } from './droppedDialog';
import { type DropSource, LARGEST_TEXT, readDropped } from './droppedFiles';

const HOST: HostFile = { place: { host: 'Cursor', path: 'x' }, servers: [], problems: [] };

/** An engine that knows files by their text. */
function scripted() {
  return new ScriptedHost({
    file_identify: ({ files }) => ({
      files: files.map(({ text }): FileContent => {
        if (text === 'host') return { type: 'host', file: HOST };
        if (text === 'registry' || text === 'servers') return { type: text };
        return { type: 'unknown', reason: 'It has no MCP servers.' };
      }),
    }),
  });
}

function file(name: string, content: BlobPart = name): DropSource {
  return { type: 'file', file: new File([content], name) };
}

/** A file that says it is this large. */
function large(name: string, size: number): DropSource {
  const made = new File(['x'], name);
  Object.defineProperty(made, 'size', { value: size });
  return { type: 'file', file: made };
}

async function refusals(sources: readonly DropSource[]): Promise<(string | null)[]> {
  const items = await readDropped(scripted(), sources);
  return items.map(({ content }) => (content.type === 'refused' ? content.message : null));
}

describe('readDropped', () => {
  it('says what each file is', async () => {
    const sources = [
      file('a.mcpb'),
      file('mcp.json', 'host'),
      file('server.json', 'registry'),
      file('b.json', 'servers'),
    ];
    const items = await readDropped(scripted(), sources);
    expect(items.map(({ name, content }) => [name, content.type])).toEqual([
      ['a.mcpb', 'bundle'],
      ['mcp.json', 'host'],
      ['server.json', 'registry'],
      ['b.json', 'servers'],
    ]);
  });

  it('names what it refuses, and why', async () => {
    const many = Array.from({ length: 21 }, (_, i) => file(`${i}.json`, 'host'));
    expect(await refusals([{ type: 'folder', name: 'docs' }])).toEqual([
      'docs is a folder. Drop the files in it instead.',
    ]);
    expect(await refusals([file('a.png', new Uint8Array([0x89, 0x50, 0xff]))])).toEqual([
      'a.png is not a text file in UTF-8.',
    ]);
    expect(await refusals([file('notes.json')])).toEqual(['notes.json: It has no MCP servers.']);
    const [huge] = await refusals([large('huge.json', LARGEST_TEXT + 1)]);
    expect(huge).toContain('huge.json has 16');
    expect((await refusals(many)).filter((message) => message !== null)).toEqual([
      '20.json was not read: 20 files are read at once. Drop it again, alone.',
    ]);
    const bundles = Array.from({ length: 102 }, (_, i) => file(`${i}.mcpb`));
    expect((await readDropped(scripted(), bundles)).slice(100).map(({ name }) => name)).toEqual([
      '2 more files',
    ]);
    const three = ['a', 'b', 'c'].map((name) => large(name, LARGEST_TEXT));
    expect((await refusals(three))[2]).toContain('c was not read: together');
  });

  it('reads paths of the window with its own hands, and bundles not at all', async () => {
    const host = scripted();
    const read: string[] = [];
    const droppedFile = async (path: string): Promise<File> => {
      read.push(path);
      if (path.endsWith('docs')) {
        throw new CommandFailure({ code: 'invalidParams', message: 'docs is a folder.', detail: null });
      }
      return new File(['host'], 'mcp.json');
    };
    Object.assign(host, { droppedFile });
    const paths = ['/users/me/.cursor/mcp.json', '/x/a.mcpb', '/x/docs'];
    const items = await readDropped(
      host,
      paths.map((path) => ({ type: 'path', path })),
    );
    expect(items.map(({ content }) => content.type)).toEqual(['host', 'bundle', 'refused']);
    expect(read).toEqual(['/users/me/.cursor/mcp.json', '/x/docs']);
    // Its folder says whose it is.
    expect(host.calls[0]?.params).toEqual({ files: [{ name: '/users/me/.cursor/mcp.json', text: 'host' }] });
  });
});

describe('the dialog', () => {
  it('is the review of one file, and of all if they are configurations', async () => {
    const host = scripted();
    const one = await readDropped(host, [file('server.json', 'registry')]);
    expect(dialogFor(one)).toEqual({ type: 'addRegistry', source: { type: 'text', text: 'registry' } });
    const two = await readDropped(host, [file('a.json', 'host'), file('b.json', 'host')]);
    expect(dialogFor(two)).toMatchObject({
      type: 'importServers',
      source: { type: 'files', files: [{ name: 'a.json' }, { name: 'b.json' }] },
    });
    expect(dialogFor([])).toBeNull();
  });

  it('is a list of several, to which each review returns until all were seen', async () => {
    const sources = [file('a.mcpb'), file('x.txt'), file('server.json', 'registry')];
    const items = await readDropped(scripted(), sources);
    expect(dialogFor(items)).toEqual({ type: 'dropped', items });
    const review = reviewFrom(items, 0);
    const list = review !== null && 'after' in review ? review.after : undefined;
    if (list?.type !== 'dropped') throw new Error('the list is not shown again');
    expect(list.items.map(({ isReviewed }) => isReviewed)).toEqual([true, false, false]);
    const last = reviewFrom(list.items, 2);
    expect(last).toEqual({ type: 'addRegistry', source: { type: 'text', text: 'registry' } });
    expect(reviewFrom(items, 1)).toBeNull();
  });

  it('does not take the place of one in which something may have been entered', async () => {
    const workspace = createWorkspace();
    const taken = (): boolean => takesDrops(workspace.getState());
    expect(taken()).toBe(true);
    workspace.setState({ dialog: { type: 'addServer', pasted: '' } });
    expect(taken()).toBe(false);
    await openDropped(scripted(), workspace, [file('a.mcpb')]);
    expect(workspace.getState().dialog?.type).toBe('addServer');
    workspace.setState({ dialog: { type: 'importServers', source: { type: 'hosts' } } });
    expect(taken()).toBe(false);
    workspace.setState({ dialog: { type: 'dropped', items: [] } });
    expect(taken()).toBe(true);
    workspace.setState({ dialog: null, vaultOpen: true });
    expect(taken()).toBe(false);
    workspace.setState({ vaultOpen: false });
    await openDropped(scripted(), workspace, [file('a.mcpb')]);
    expect(workspace.getState().dialog?.type).toBe('addBundle');
  });
});
