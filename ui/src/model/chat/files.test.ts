// @vitest-environment jsdom
import { expect, it } from 'vitest';
import type { ChatId, ChatSummary, ServerId } from '../../contract/generated';
import { ScriptedHost } from '../../host/scripted';
import { openConversation } from './conversation';
import { attachDropped, attachFiles, attachPaths, canAttach, draggedResource, resourceText } from './files';

const taken = new ScriptedHost({ chat_attach: ({ source }) => attachment(source.type) });

function attachment(name: string) {
  return {
    id: '1',
    serverId: null,
    serverName: '',
    name,
    keepCurrent: false,
    image: null,
    hasImages: false,
    isPrompt: false,
    bytes: 1,
    parts: 1,
    preview: '',
    seq: null,
    canSubscribe: false,
    subscription: null,
  };
}

it('sends the bytes of files in base64, one after the other', async () => {
  const conversation = openConversation(taken, 'c' as ChatId);
  const files = [new File(['Zürich'], 'a.txt', { type: 'text/plain' }), new File([], 'empty')];
  await attachFiles(conversation, files);
  const sent = taken.calls.map(({ params }) => params);
  const source = { type: 'file', name: 'a.txt', mimeType: 'text/plain', data: 'WsO8cmljaA==' };
  expect(sent).toEqual([
    { chatId: 'c', serverId: null, source },
    { chatId: 'c', serverId: null, source: { type: 'file', name: 'empty', mimeType: '', data: '' } },
  ]);
  conversation.close();
});

it('reads no file that is too large, and says so', async () => {
  const host = new ScriptedHost();
  const conversation = openConversation(host, 'c' as ChatId);
  const large = new File(['x'], 'large.bin');
  Object.defineProperty(large, 'size', { value: 50 * 1024 * 1024 });
  await attachFiles(conversation, [large, new File(['x'], 'small')]);
  expect(host.calls).toEqual([]);
  expect(conversation.getState().error?.message).toMatch(/^large\.bin is 5\d(\.\d)? MB; at most/);
  conversation.close();
});

it('knows a dragged resource from other drags', () => {
  const resource = { serverId: 's' as ServerId, uri: 'a:b' };
  expect(draggedResource(resourceText(resource))).toEqual(resource);
  for (const text of ['', '{', '[]', '{"serverId":"s"}', '{"serverId":1,"uri":"a:b"}']) {
    expect(draggedResource(text), text).toBeNull();
  }
  expect(canAttach(['Files'])).toBe(true);
  expect(canAttach(['text/plain'])).toBe(false);
});

it('attaches what is dropped into the window, up to the first that cannot be read', async () => {
  const host = new ScriptedHost({ chat_attach: ({ source }) => attachment(source.type) });
  const conversation = openConversation(host, 'c' as ChatId);
  const names = (): unknown[] =>
    host.calls.map(({ params }) => (params as { source: { name: string } }).source.name);
  const droppedFile = async (path: string): Promise<File> => {
    await Promise.resolve();
    if (path === '/folder') throw new Error('folder could not be read: it is not a file.');
    return new File(['x'], path.slice(1));
  };
  Object.assign(host, { droppedFile });
  await attachPaths(host, conversation, ['/a', '/b']);
  expect(names()).toEqual(['a', 'b']);
  await attachPaths(host, conversation, ['/c', '/folder', '/d']);
  expect(names()).toEqual(['a', 'b', 'c']);
  expect(conversation.getState().error?.message).toContain('it is not a file');
  conversation.close();
});

it('attaches nothing to a conversation that is read-only, and says so', async () => {
  const host = new ScriptedHost();
  const conversation = openConversation(host, 'c' as ChatId);
  conversation.setState({ summary: { readOnly: 'Its file is damaged.' } as ChatSummary });
  const dropped = { getData: () => '', files: [new File(['x'], 'a.txt')] };
  for (const drop of [
    () => attachDropped(conversation, dropped as unknown as DataTransfer),
    () => attachPaths(host, conversation, ['/a.txt']),
  ]) {
    conversation.dismissError();
    await drop();
    expect(conversation.getState().error?.message).toContain('Nothing was attached');
  }
  expect(host.calls).toEqual([]);
  conversation.close();
});
