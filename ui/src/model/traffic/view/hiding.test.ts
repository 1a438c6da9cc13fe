import { expect, it } from 'vitest';
import type { Seq, ServerId } from '../../../contract/generated';
import { CommandFailure } from '../../../host/host';
import { ScriptedHost } from '../../../host/scripted';
import { showing } from './hiding';

const A = 'a' as ServerId;

/** What stays of the settings for a record, if the log has it where the filter has none of these terms. */
async function kept(filter: string, hiding: string[], oneRow = true) {
  const host = new ScriptedHost({
    traffic_locate: (params) => {
      const text = params.filter;
      if (text.includes('bogus'))
        return new CommandFailure({ code: 'invalidParams', message: 'no', detail: null });
      return { index: hiding.some((term) => text.includes(term)) ? null : 0 };
    },
  });
  const settings = { filter, oneServer: true, oneRow };
  return { shown: await showing(host, settings, A, '1' as Seq), asked: host.calls.length };
}

it('lifts only what hides a record', async () => {
  const [rows, scope, text] = ['-kind:response', 'server:"a"', 'tool:echo'];
  const all = { filter: text, oneServer: true, oneRow: true };
  expect((await kept(text, [rows])).shown).toEqual({ ...all, oneRow: false });
  expect((await kept(text, [scope])).shown).toEqual({ ...all, oneServer: false });
  expect((await kept(text, [text])).shown).toEqual({ ...all, filter: '' });
  expect((await kept(text, [text, rows])).shown).toEqual({ ...all, filter: '', oneRow: false });
  expect((await kept(text, [scope, text])).shown).toEqual({ ...all, filter: '', oneServer: false });
  expect((await kept(text, [])).shown).toEqual(all);
});

it('a filter that names responses shows them, and what is no filter shows nothing', async () => {
  const [rows, scope] = ['-kind:response', 'server:"a"'];
  expect((await kept('kind:response', [rows, scope])).shown).toEqual({
    filter: 'kind:response',
    oneServer: false,
    oneRow: true,
  });
  expect((await kept('kind:response', [rows, 'kind:response'])).shown).toEqual({
    filter: '',
    oneServer: true,
    oneRow: false,
  });
  expect((await kept('bogus', [])).shown).toEqual({ filter: '', oneServer: true, oneRow: true });
});

it('asks nothing about settings that hide nothing', async () => {
  expect((await kept('', [], false)).asked).toBe(1);
});
