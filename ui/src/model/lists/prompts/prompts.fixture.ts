import type {
  ContentItem,
  ExchangeOutcome,
  PromptArgumentItem,
  PromptItem,
  PromptMessageItem,
  TextBody,
} from '../../../contract/generated';

/** A well-formed prompt. */
export function aPrompt(index: number, name: string, change: Partial<PromptItem> = {}): PromptItem {
  return {
    index,
    name,
    title: null,
    description: null,
    arguments: [],
    icon: null,
    violations: [],
    ...change,
  };
}

/** An argument without title and description. */
export function anArgument(name: string, required = false): PromptArgumentItem {
  return { name, title: null, description: null, required };
}

/** A short text. */
export function aText(inline: string): TextBody {
  return { inline, body: 'b' as TextBody['body'], size: inline.length, pretty: null };
}

/** A message of text. */
export function aMessage(role: string, text: string): PromptMessageItem {
  return { role, content: { type: 'text', text: aText(text), annotationsJson: null } satisfies ContentItem };
}

/** A result with messages. */
export function aPromptResult(messages: PromptMessageItem[]): ExchangeOutcome {
  return {
    type: 'result',
    raw: aText('{"messages":[]}'),
    view: { type: 'prompt', description: null, messages, violations: [] },
    freshness: null,
  };
}
