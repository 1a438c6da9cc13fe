import { type Json, type JsonObject, isObject } from '../../text/json';

/** The messages of a sampling request as blocks that can be shown. Takes any JSON. */

/** One content block of a message. */
export type SampledBlock =
  | { type: 'text'; text: string }
  | { type: 'media'; kind: 'image' | 'audio'; mimeType: string; data: string }
  | { type: 'toolUse'; id: string; name: string; input: Json }
  | {
      type: 'toolResult';
      toolUseId: string;
      isError: boolean;
      blocks: SampledBlock[];
      structured: Json | undefined;
    }
  | { type: 'link'; uri: string; name: string; description: string }
  | { type: 'resource'; uri: string; mimeType: string; text: string | null; blob: string | null }
  | { type: 'unknown'; kind: string; json: Json };

export interface SampledTurn {
  role: string;
  blocks: SampledBlock[];
  /** Where the blocks are in the params: their message's `content` is a list, or a block. */
  isList: boolean;
}

/** A tool that the model may call. */
export interface SampledTool {
  name: string;
  description: string;
  inputSchema: Json | undefined;
}

export interface Conversation {
  system: string | null;
  turns: SampledTurn[];
  tools: SampledTool[];
}

/** Nested deeper, blocks are shown as JSON. */
const MAX_DEPTH = 3;
/** More tools are not listed. */
const MOST_TOOLS = 200;

/** The conversation of the params of a sampling request. */
export function conversationOf(params: JsonObject): Conversation {
  const messages = Array.isArray(params['messages']) ? params['messages'] : [];
  const tools = Array.isArray(params['tools']) ? params['tools'].slice(0, MOST_TOOLS) : [];
  const turns = messages.map(turnOf);
  return {
    system: typeof params['systemPrompt'] === 'string' ? params['systemPrompt'] : null,
    turns,
    tools: tools.flatMap((tool) =>
      isObject(tool) && typeof tool['name'] === 'string'
        ? [
            {
              name: tool['name'],
              description: textOf(tool['description'] as Json),
              inputSchema: tool['inputSchema'],
            },
          ]
        : [],
    ),
  };
}

function turnOf(message: Json): SampledTurn {
  const content = isObject(message) ? (message['content'] as Json) : null;
  const isList = Array.isArray(content);
  return {
    role: isObject(message) ? textOf(message['role']) : '',
    blocks: (Array.isArray(content) ? content : [content]).map((block) => blockOf(block, 0)),
    isList,
  };
}

function blockOf(block: Json, depth: number): SampledBlock {
  if (typeof block === 'string') return { type: 'text', text: block };
  if (!isObject(block) || depth > MAX_DEPTH)
    return { type: 'unknown', kind: 'no content block', json: block };
  const known = block;
  const type = textOf(known['type']);
  switch (type) {
    case 'text':
      if (typeof known['text'] === 'string') return { type: 'text', text: known['text'] };
      break;
    case 'image':
    case 'audio':
      if (typeof known['data'] === 'string')
        return { type: 'media', kind: type, mimeType: textOf(known['mimeType']), data: known['data'] };
      break;
    case 'tool_use':
      return {
        type: 'toolUse',
        id: textOf(known['id']),
        name: textOf(known['name']),
        input: known['input'] ?? {},
      };
    case 'tool_result': {
      const { content } = known;
      return {
        type: 'toolResult',
        toolUseId: textOf(known['toolUseId']),
        isError: known['isError'] === true,
        blocks: (Array.isArray(content) ? content : []).map((inner) => blockOf(inner, depth + 1)),
        structured: known['structuredContent'],
      };
    }
    case 'resource_link':
      return {
        type: 'link',
        uri: textOf(known['uri']),
        name: textOf(known['title'] ?? known['name']),
        description: textOf(known['description']),
      };
    case 'resource':
      if (isObject(known['resource'])) {
        const resource = known['resource'];
        return {
          type: 'resource',
          uri: textOf(resource['uri']),
          mimeType: textOf(resource['mimeType']),
          text: typeof resource['text'] === 'string' ? resource['text'] : null,
          blob: typeof resource['blob'] === 'string' ? resource['blob'] : null,
        };
      }
      break;
    default:
  }
  return { type: 'unknown', kind: type === '' ? 'no type' : type, json: block };
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** The bytes of base64; null if it is none. */
export function bytesOf(data: string): ArrayBuffer | null {
  try {
    const text = atob(data.replaceAll(/\s/g, ''));
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i += 1) bytes[i] = text.charCodeAt(i);
    return bytes.buffer;
  } catch {
    return null;
  }
}
