import { expect, it } from 'vitest';
import type { BodyId, ContentItem, ServerId, TextBody } from '../../contract/generated';
import { ScriptedHost } from '../../host/scripted';
import { MAX_COMPARED, comparedPart, partsOf } from './comparison';
import { type Exchange, newExchange } from './exchange';
import { DEFAULT_OPTIONS } from './request';

const body = (text: string, isJson = false): TextBody => ({
  body: `raw ${text.slice(0, 9)}` as BodyId,
  size: text.length,
  pretty: isJson ? (`pretty ${text.slice(0, 9)}` as BodyId) : null,
  inline: text,
});

function run(content: ContentItem[], structured: string | null = null, argumentsJson = '{}'): Exchange {
  const request = { type: 'tool', name: 't', argumentsJson, options: DEFAULT_OPTIONS } as const;
  const json = structured === null ? null : body(structured, true);
  return {
    ...newExchange(1, 's' as ServerId, request, 0),
    outcome: {
      type: 'result',
      raw: body('{"b":1,"a":[2]}', true),
      freshness: null,
      view: {
        type: 'tool',
        tool: {
          isError: false,
          content,
          structured: json === null ? null : { json, check: null },
          structuredMissing: false,
          violations: [],
        },
      },
    },
  };
}
const text = (value: TextBody): ContentItem => ({ type: 'text', text: value, annotationsJson: null });

it('compares JSON by its members, with numbers as written, whatever the order of its keys', async () => {
  const host = new ScriptedHost({});
  const one = run([], '{"b":1.10,"a":{"d":1,"c":9007199254740993}}', '{"y":1,"x":2}');
  const other = run([], '{"a":{"c":9007199254740993,"d":1},\n"b":1.10}', '{ "x":2, "y":1 }');
  for (const part of ['structured', 'arguments'] as const) {
    // oxlint-disable-next-line no-await-in-loop
    const [before, after] = [await comparedPart(host, one, part), await comparedPart(host, other, part)];
    expect(before).toEqual(after);
  }
  expect((await comparedPart(host, one, 'structured')).text).toContain('"c": 9007199254740993');
  expect((await comparedPart(host, one, 'structured')).text).toContain('"b": 1.10');
});

it('offers the parts that one of the two has', () => {
  const failed: Exchange = { ...run([]), outcome: { type: 'cancelled' } };
  expect(partsOf(failed, run([]))).toEqual(['raw', 'arguments']);
  expect(partsOf(failed, run([text(body('x'))], '{}'))).toEqual([
    'content',
    'structured',
    'raw',
    'arguments',
  ]);
});

it('compares the beginning of what is large, and loads nothing after it', async () => {
  const long = { ...body('x'), size: 2 * MAX_COMPARED, inline: null };
  const host = new ScriptedHost({});
  // A character of three bytes is cut in two.
  host.setBody(long.body, '€'.repeat(MAX_COMPARED / 2));
  const compared = await comparedPart(
    host,
    run([text(long), text({ ...body('y'), inline: null })]),
    'content',
  );
  expect(compared.isCut).toBe(true);
  expect(compared.text).toBe('€'.repeat(Math.floor(MAX_COMPARED / 3)));
});

it('compares bytes by their digest', async () => {
  const host = new ScriptedHost({});
  const image = (id: string): ContentItem => ({
    type: 'image',
    body: id as BodyId,
    mimeType: 'image/png',
    size: 1,
    annotationsJson: null,
  });
  host.setBody('a', '1');
  host.setBody('b', '2');
  const [a, b] = await Promise.all([
    comparedPart(host, run([image('a')]), 'content'),
    comparedPart(host, run([image('b')]), 'content'),
  ]);
  expect(a.text).toMatch(/^\(image\/png, 1 B\)\nSHA-256 [0-9a-f]{64}$/);
  expect(a.text).not.toBe(b.text);
});
