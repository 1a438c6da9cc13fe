import type { ContentItem, PromptMessageItem } from '../../../contract/generated';
import type { Host } from '../../../host/host';
import { fence } from '../../text/copyAs';
import { formatSize } from '../../text/format';
import { textOf } from '../../text/textOf';

/** The messages of a prompt as text, for copying them. */

/** The role as it is shown; `no role` if the server gives none. */
export function roleInWords(role: string): string {
  return role === '' ? 'no role' : role;
}

/** One content block. Text stays as it is; what is not text is represented by its type, size and address. */
export async function contentAsText(host: Host, item: ContentItem): Promise<string> {
  switch (item.type) {
    case 'text':
      return textOf(host, item.text);
    case 'image':
    case 'audio':
      return `(${item.type}: ${item.mimeType}, ${formatSize(item.size)})`;
    case 'resourceLink':
      return `(resource link: ${item.uri})`;
    case 'resourceText':
      return `${item.uri}\n\n${fence('', await textOf(host, item.text))}`;
    case 'resourceBlob':
      return `(resource: ${[item.uri, item.mimeType, formatSize(item.size)].filter(Boolean).join(', ')})`;
    case 'unknown':
      return fence('json', await textOf(host, item.json));
  }
}

/** All messages as Markdown, each below its role. */
export async function messagesAsMarkdown(
  host: Host,
  messages: readonly PromptMessageItem[],
): Promise<string> {
  const parts: string[] = [];
  for (const { role, content } of messages) {
    // One after the other: a prompt may have thousands of messages, and each text is a separate request.
    // oxlint-disable-next-line no-await-in-loop
    parts.push(`## ${roleInWords(role)}\n\n${await contentAsText(host, content)}\n`);
  }
  return parts.join('\n');
}
