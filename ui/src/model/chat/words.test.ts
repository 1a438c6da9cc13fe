import { expect, it } from 'vitest';
import type { ChatCall, ContentItem, ToolResultView } from '../../contract/generated';
import { progressLine, resultLine } from './words';

const LONG = 'very long '.repeat(100_000);

/** A call that ended with an error, or with a result of one content. */
function call(error: string | null, content: object | null = null): ChatCall {
  const result = { isError: false, content: [content as ContentItem], structured: null } as ToolResultView;
  return { error, result: content === null ? null : result } as ChatCall;
}

it('takes one line of what a server says, however long it is', () => {
  const text = { inline: LONG, body: 'b', size: LONG.length, pretty: null };
  const lines = [
    resultLine(call(LONG)),
    resultLine(call(null, { type: 'text', text })),
    resultLine(call(null, { type: 'resourceLink', uri: LONG })),
    resultLine(call(null, { type: 'image', mimeType: LONG })),
    progressLine({ progress: 1, total: 2, message: LONG }),
  ];
  for (const line of lines) {
    expect(line).toContain('very long very long');
    expect(line.length).toBeLessThanOrEqual(161);
  }
  expect(resultLine(call('The server answered\nwith an error.'))).toBe('The server answered with an error.');
});
