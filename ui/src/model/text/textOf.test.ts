import { expect, it } from 'vitest';
import type { BodyId } from '../../contract/generated';
import { ScriptedHost } from '../../host/scripted';
import { bodyOf, textOf } from './textOf';

it('joins the parts of a body, also those that divide a character', async () => {
  const host = new ScriptedHost({});
  const text = 'a€b';
  const id = host.setBody('f:1', text);
  expect(await bodyOf(host, id)).toEqual(new TextEncoder().encode(text));
  expect(await textOf(host, { inline: null, body: id, pretty: null, size: 5 })).toBe(text);
  await expect(bodyOf(host, 'f:2' as BodyId)).rejects.toMatchObject({ error: { code: 'notFound' } });
});
