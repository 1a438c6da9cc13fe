import type { ServerId } from '../../contract/generated';
import type { Host } from '../../host/host';
import { commandError } from '../store/errors';
import { base64Of } from '../text/base64';
import { formatSize } from '../text/format';
import { isObject, parseJson, toPlain } from '../text/json';
import type { ConversationStore } from './conversation';

/** The size of the largest file that can be attached, in bytes. The engine holds the same. */
const LARGEST = 4 * 1024 * 1024;

/** How a dragged resource is named among the types of a drag. */
export const RESOURCE_TYPE = 'application/x-patchbay-resource';

/** A resource that is dragged. */
export interface DraggedResource {
  serverId: ServerId;
  uri: string;
}

/** Attaches files of the user, one after the other; the first that is refused ends it, with the reason shown. */
export async function attachFiles(conversation: ConversationStore, files: readonly File[]): Promise<void> {
  for (const file of files) {
    if (file.size > LARGEST) {
      conversation.refuse(
        `${file.name} is ${formatSize(file.size)}; at most ${formatSize(LARGEST)} can be attached. Attach part of it, or a smaller image.`,
      );
      return;
    }
    let data: string;
    try {
      data = await base64Of(file);
    } catch {
      conversation.refuse(`${file.name} could not be read. It may be a folder, or have been moved.`);
      return;
    }
    const { name, type: mimeType } = file;
    const source = { type: 'file', name, mimeType, data } as const;
    if (!(await conversation.run('chat_attach', { serverId: null, source }))) return;
  }
}

/** Attaches files that were dropped into the window, by their paths. */
export async function attachPaths(
  host: Host,
  conversation: ConversationStore,
  paths: readonly string[],
): Promise<void> {
  if (!takes(conversation)) return;
  const files: File[] = [];
  let failure: string | null = null;
  for (const path of paths) {
    try {
      // One after the other: the first that cannot be read ends it.
      // oxlint-disable-next-line no-await-in-loop
      const file = await host.droppedFile?.(path);
      if (file !== undefined) files.push(file);
    } catch (thrown) {
      failure = commandError(thrown).message;
      break;
    }
  }
  await attachFiles(conversation, files);
  // Afterwards: a success takes away what was said before.
  if (failure !== null) conversation.refuse(failure);
}

/** Whether a conversation can be continued; if not, it says so: it shows nothing that is attached. */
function takes(conversation: ConversationStore): boolean {
  const isReadOnly = typeof conversation.getState().summary?.readOnly === 'string';
  if (isReadOnly)
    conversation.refuse('Nothing was attached: this conversation is read-only. Start another one.');
  return !isReadOnly;
}

/** Whether a drag has something that can be attached. */
export function canAttach(types: readonly string[]): boolean {
  return types.includes('Files') || types.includes(RESOURCE_TYPE);
}

/** Attaches what is dropped. */
export async function attachDropped(conversation: ConversationStore, dropped: DataTransfer): Promise<void> {
  if (!takes(conversation)) return;
  const resource = draggedResource(dropped.getData(RESOURCE_TYPE));
  if (resource === null) return attachFiles(conversation, [...dropped.files]);
  const { serverId, uri } = resource;
  await conversation.run('chat_attach', { serverId, source: { type: 'resource', uri } });
}

/** A dragged resource as text, for the drag. */
export function resourceText({ serverId, uri }: DraggedResource): string {
  return JSON.stringify({ serverId, uri });
}

/** A dragged resource; null if the text is of something else. */
export function draggedResource(text: string): DraggedResource | null {
  const parsed = parseJson(text);
  const value = parsed.ok ? toPlain(parsed.value) : undefined;
  if (!isObject(value)) return null;
  const { serverId, uri } = value;
  return typeof serverId === 'string' && typeof uri === 'string'
    ? { serverId: serverId as ServerId, uri }
    : null;
}
