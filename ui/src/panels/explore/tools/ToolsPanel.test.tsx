import { MantineProvider } from '@mantine/core';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ExchangeId, ExchangeOutcome, Seq } from '../../../contract/generated';
import { ScriptedHost } from '../../../host/scripted';
import { ModelProvider, createModel } from '../../../model/workspace/context';
import { DEFAULT_OPTIONS, toolKey } from '../../../model/exchange/request';
import type { Problem, Validation } from '../../../model/form/check/validate';
import { NO_DEFINITIONS } from '../../../model/tools/definitions';
import { toolPage } from '../../../model/tools/tools.fixture';
import { ToolsPanel } from './ToolsPanel';
import {
  SERVER,
  server,
  show,
  text,
  result,
  SUM,
  typeInto,
  callTool,
  resultPane,
} from './ToolsPanel.test.fixture';

beforeEach(() => {
  // CodeMirror measures text, which jsdom cannot.
  Range.prototype.getClientRects = () => [] as unknown as DOMRectList;
  Range.prototype.getBoundingClientRect = () => new DOMRect();
});

describe('a call', () => {
  it('that was wanted before the definition is here is made when it is', async () => {
    let arrive = () => {};
    const known = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const { host, sent, user } = await show({ sum: { schema: '{"type":"object"}' } }, known);
    await user.click(callTool());
    expect(() => host.stream('tool_call')).toThrow();
    await act(() => {
      arrive();
      return known;
    });
    await screen.findByRole('region', { name: 'Result' });
    expect(sent()).toBe('{}');
  });
});

describe('a call whose arguments are still being checked', () => {
  const FORM = '{"type":"object","properties":{"n":{"type":"integer"}}}';

  /** Calls a tool, shows another, and then ends the check. */
  async function leave(validation: Validation) {
    const { host, model, user } = await show({ sum: { schema: FORM }, other: { schema: null } });
    let end: (validation: Validation) => void = () => {};
    vi.spyOn(model.checker, 'check').mockImplementation(
      () =>
        new Promise((resolve) => {
          end = resolve;
        }),
    );
    await typeInto(user, 'n', '5');
    await user.click(callTool());
    act(() => model.ui.setState({ selectedTools: { [SERVER]: '1:other' } }));
    expect(host.streams('tool_call')).toHaveLength(0);
    await act(async () => end(validation));
    return { host, model };
  }

  it('is made although another tool is shown meanwhile', async () => {
    const { host } = await leave({ type: 'checked', problems: [] });
    expect(host.streams('tool_call').map(({ params }) => params.name)).toEqual(['sum']);
  });

  it('is not made if they do not match the schema, and the tool says why when it is shown again', async () => {
    const problem: Problem = { pointer: '/n', message: 'must be less', missing: false };
    const { host, model } = await leave({ type: 'checked', problems: [problem] });
    expect(host.streams('tool_call')).toHaveLength(0);
    const drafts = Object.values(model.toolDrafts.getState());
    expect(drafts.map((draft) => draft?.tried)).toEqual([true]);
  });
});

describe('arguments', () => {
  it('of a list: a new item has the focus and may be an empty string', async () => {
    const { sent, user } = await show({
      read: { schema: '{"type":"object","properties":{"paths":{"type":"array","items":{"type":"string"}}}}' },
    });
    await user.click(await screen.findByRole('button', { name: 'Add path' }));
    expect(document.activeElement?.tagName).toBe('TEXTAREA');
    await user.keyboard('/srv/a.txt');
    await user.click(screen.getByRole('button', { name: 'Add path' }));
    await user.click(screen.getByRole('button', { name: 'Call tool' }));
    expect(JSON.parse(sent())).toEqual({ paths: ['/srv/a.txt', ''] });
  });

  it('of a choice: its select has the name of the field', async () => {
    await show({
      draw: {
        schema:
          '{"type":"object","properties":{"shape":{"anyOf":[{"type":"string","title":"Name"},{"type":"number","title":"Id"}]},"level":{"oneOf":[{"const":1,"title":"Low"}]}}}',
      },
    });
    expect(await screen.findByRole('combobox', { name: 'Type of shape' })).toBeDefined();
    expect(screen.getByRole('combobox', { name: /level/ })).toBeDefined();
  });

  it('are prefilled with exact defaults and shown before they are sent', async () => {
    const { sent, user } = await show({ sum: { schema: SUM } });
    expect(await screen.findByDisplayValue('9007199254740993')).toBeDefined();
    expect(screen.getByDisplayValue('1.10')).toBeDefined();
    await typeInto(user, /^a/, '2');
    expect(screen.getByRole('button', { name: /^params/ }).textContent).toContain(
      '{"name":"sum","arguments":{ "b": 1.10, "big": 9007199254740993, "a": 2 }}',
    );
    await user.click(callTool());
    expect(JSON.parse(sent().replaceAll(/[\d.]+/g, '"$&"'))).toEqual({
      a: '2',
      b: '1.10',
      big: '9007199254740993',
    });
  });

  it('are the same in the form and in JSON', async () => {
    const { user, model } = await show({ sum: { schema: SUM } });
    await typeInto(user, 'note', 'hi');
    await user.click(screen.getByRole('radio', { name: 'JSON' }));
    const draft = () => Object.values(model.toolDrafts.getState())[0]!;
    expect(draft().text).toContain('"note": "hi"');
    act(() =>
      model.toolDrafts.change(Object.keys(model.toolDrafts.getState())[0] as never, {
        text: '{"note":"from JSON","b":2.50}',
      }),
    );
    await user.click(screen.getByRole('radio', { name: 'Form' }));
    expect(await screen.findByDisplayValue('from JSON')).toBeDefined();
    expect(screen.getByDisplayValue('2.50')).toBeDefined();
    await typeInto(user, 'note', '{Control>}a{/Control}{Backspace}');
    expect(draft().text).toBe('{\n  "b": 2.50\n}');
  });

  it('that do not match the schema are reported, and sent if the user confirms', async () => {
    const { host, sent, user } = await show({ sum: { schema: SUM } });
    expect(screen.queryByText('is required')).toBeNull();
    await user.click(callTool());
    expect(host.streams('tool_call')).toHaveLength(0);
    expect(screen.getByRole('list', { name: '1 problem' }).textContent).toBe('a is required');
    await typeInto(user, /^a/, 'x');
    expect(screen.getByRole('list', { name: '1 problem' }).textContent).toBe('a must be an integer');
    await user.click(screen.getByRole('button', { name: 'Send anyway' }));
    expect(sent()).toContain('"a": "x"');
  });

  it('are edited as JSON where there can be no form, and it says why', async () => {
    await show({ far: { schema: '{"properties":{"x":{"$ref":"https://example.org/x"}}}' } });
    expect(await screen.findByText(/which is external/)).toBeDefined();
    expect(screen.getByLabelText('Arguments as JSON')).toBeDefined();
  });

  it('of a tool that takes none are an empty object', async () => {
    const { sent, user } = await show({ now: { schema: '{"type":"object"}' } });
    expect(await screen.findByText('This tool takes no arguments.')).toBeDefined();
    await user.click(callTool());
    expect(sent()).toBe('{}');
  });

  it('of a tool that calls itself destructive are confirmed each time', async () => {
    const hints = { readOnly: null, destructive: true, idempotent: null, openWorld: null };
    const { host, user } = await show({ wipe: { schema: '{"type":"object"}', item: { hints } } });
    for (const calls of [1, 2]) {
      await user.click(callTool());
      const dialog = await screen.findByRole('dialog', { name: 'Call wipe?' });
      expect(host.streams('tool_call')).toHaveLength(calls - 1);
      expect(dialog.textContent).toContain('marks this tool as destructive');
      await user.click(within(dialog).getByRole('button', { name: 'Call tool' }));
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
      expect(host.streams('tool_call')).toHaveLength(calls);
    }
  });

  it('of a tool that does not say what it does are confirmed once', async () => {
    const hints = { readOnly: null, destructive: null, idempotent: true, openWorld: null };
    const { host, sent, user } = await show({ save: { schema: '{"type":"object"}', item: { hints } } });
    await user.click(callTool());
    const dialog = await screen.findByRole('dialog', { name: 'Call save?' });
    expect(dialog.textContent).toContain('does not declare whether this tool modifies data');
    expect(host.streams('tool_call')).toHaveLength(0);
    await user.click(within(dialog).getByRole('button', { name: 'Call tool' }));
    expect(sent()).toBe('{}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await user.click(callTool());
    expect(host.streams('tool_call')).toHaveLength(2);
  });

  it('are no longer confirmed for a tool or a server once the user says so, until that is revoked', async () => {
    const hints = { readOnly: null, destructive: true, idempotent: null, openWorld: null };
    const item = { schema: '{"type":"object"}', item: { hints } };
    const { host, user, model } = await show({ wipe: item });
    const asks = () => screen.queryByRole('dialog', { name: 'Call wipe?' });
    await user.click(callTool());
    await user.click(await screen.findByRole('radio', { name: /tools of this server/ }));
    await user.click(within(asks()!).getByRole('button', { name: 'Call tool' }));
    await waitFor(() => expect(asks()).toBeNull());
    expect(model.ui.getState().unconfirmedServers).toEqual([SERVER]);
    await user.click(callTool());
    expect(host.streams('tool_call')).toHaveLength(2);
    await user.click(screen.getByRole('button', { name: 'Call options' }));
    await user.click(await screen.findByLabelText('Ask before calls', { selector: 'input' }));
    await user.click(await screen.findByText('Ask before each call'));
    await user.keyboard('{Escape}');
    expect(model.ui.getState().unconfirmedServers).toEqual([]);
    await user.click(callTool());
    await screen.findByRole('dialog', { name: 'Call wipe?' });
    expect(host.streams('tool_call')).toHaveLength(2);
  });
});

describe('a call', () => {
  it('is made with the keyboard from a field, and from the list where the tool was chosen', async () => {
    const { user, host } = await show({ none: { schema: '{"type":"object"}' } });
    act(() => screen.getByRole('listbox', { name: 'Tools' }).focus());
    await user.keyboard('{Control>}{Enter}{/Control}');
    expect(host.streams('tool_call').length).toBe(1);
    act(() => screen.getByRole('textbox', { name: 'Search tools' }).focus());
    await user.keyboard('{Meta>}{Enter}{/Meta}');
    expect(host.streams('tool_call').length).toBe(2);
    act(() => screen.getByRole('textbox', { name: 'Search tools' }).blur());
    await user.keyboard('{Control>}{Enter}{/Control}');
    expect(host.streams('tool_call').length).toBe(2);
  });

  it('shows progress, then the result, also after looking at another tool', async () => {
    const { host, emitEnd, user, model } = await show({
      slow: { schema: '{"type":"object"}' },
      other: { schema: null },
    });
    await screen.findByText('This tool takes no arguments.');
    await user.click(callTool());
    const stream = host.stream('tool_call');
    act(() => stream.emit({ type: 'started', exchangeId: 'x' as ExchangeId, seq: '1' as Seq }));
    act(() => stream.emit({ type: 'progress', progress: 3, total: 10, message: 'Third step', count: 3 }));
    const pane = await resultPane();
    expect(within(pane).getByText('3 of 10')).toBeDefined();
    expect(within(pane).getByText('Third step')).toBeDefined();
    expect(within(pane).getByRole('progressbar').getAttribute('aria-valuenow')).toBe('30');

    act(() => model.ui.setState({ selectedTools: { [SERVER]: '1:other' } }));
    expect(screen.queryByRole('region', { name: 'Result' })).toBeNull();
    emitEnd(result({ content: [{ type: 'text', text: text('All done'), annotationsJson: null }] }));
    act(() => model.ui.setState({ selectedTools: { [SERVER]: '0:slow' } }));
    const done = await resultPane();
    expect(within(done).getByText('All done')).toBeDefined();
    expect(done.textContent).toContain('4.2 ms');
    // It went to a program: there is nothing for curl.
    await user.click(within(done).getByRole('button', { name: 'Copy as' }));
    expect(await screen.findByText('Command line')).toBeDefined();
    expect(screen.queryByText(/cURL/)).toBeNull();
  });

  it('as a task is shown before it is sent, and not where the tool has no tasks', async () => {
    const asTask = { options: { ...DEFAULT_OPTIONS, asTask: { ttlMs: null } } };
    const { model } = await show({
      slow: { schema: '{"type":"object"}', item: { taskSupport: 'optional' } },
      quick: { schema: '{"type":"object"}' },
    });
    const params = () => screen.getByRole('button', { name: /^params/ }).textContent;
    act(() => {
      model.toolDrafts.change(toolKey(SERVER, 'slow'), asTask);
      model.toolDrafts.change(toolKey(SERVER, 'quick'), asTask);
    });
    expect(params()).toContain('{"name":"slow","arguments":{},"task":{}}');
    act(() => model.ui.setState({ selectedTools: { [SERVER]: '1:quick' } }));
    await waitFor(() => expect(params()).toContain('{"name":"quick","arguments":{}}'));
  });

  it('is run again as it was, without a change of what was typed meanwhile', async () => {
    const hints = { readOnly: null, destructive: true, idempotent: null, openWorld: null };
    const { host, sent, emitEnd, model, user } = await show({ sum: { schema: SUM, item: { hints } } });
    const key = toolKey(SERVER, 'sum');
    const confirm = async (button: string) =>
      user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: button }));
    const again = async () =>
      user.click(
        within(await resultPane()).getByRole('button', { name: 'Run again with the same arguments' }),
      );
    act(() => model.toolDrafts.change(key, { text: '{"a":1}' }));
    await user.click(callTool());
    await confirm('Call tool');
    emitEnd(result({}));
    act(() => model.toolDrafts.change(key, { text: '{"a":2}' }));
    await again();
    await confirm('Cancel');
    expect([model.toolDrafts.getState()[key]?.text, host.streams('tool_call').length]).toEqual([
      '{"a":2}',
      1,
    ]);
    await again();
    await confirm('Call tool');
    expect([sent(), host.streams('tool_call').length]).toEqual(['{"a":1}', 2]);
    expect(model.toolDrafts.getState()[key]?.text).toBe('{"a":2}');
  });

  it('can be cancelled', async () => {
    const { host, user } = await show({ slow: { schema: '{"type":"object"}' } });
    await screen.findByText('This tool takes no arguments.');
    await user.click(callTool());
    act(() =>
      host.stream('tool_call').emit({ type: 'started', exchangeId: 'x' as ExchangeId, seq: '1' as Seq }),
    );
    await user.click(within(await resultPane()).getByRole('button', { name: 'Cancel' }));
    expect(host.calls).toContainEqual({ name: 'exchange_cancel', params: { exchangeId: 'x' } });
  });

  it.each<[string, ExchangeOutcome, string[]]>([
    ['tool error', result({ isError: true }), ['Tool error', 'The tool reports an error (isError)']],
    [
      'JSON-RPC error',
      {
        type: 'rpcError',
        raw: text('{}'),
        code: '-32602',
        message: 'no such x',
        meaning: 'Invalid params',
        advice: null,
        dataJson: null,
      },
      ['JSON-RPC error', 'JSON-RPC error -32602: Invalid params', 'no such x'],
    ],
    ['timeout', { type: 'timedOut', afterMs: 60_000 }, ['Timed out', 'No response within 1 min 0 s']],
    ['cancellation', { type: 'cancelled' }, ['Cancelled', 'Cancelled by you']],
    [
      'cancellation by the server',
      { type: 'cancelledByServer', reason: 'too busy' },
      ['Cancelled by server', 'Cancelled by the server', 'too busy'],
    ],
    [
      'resultType nobody knows',
      { type: 'invalidResult', raw: text('{}'), reason: 'Its `resultType` "perhaps" is unknown.' },
      ['Invalid result', 'Its `resultType` "perhaps" is unknown.'],
    ],
    ['refusal', { type: 'notSent', message: 'Not connected.' }, ['Not sent', 'Not connected.']],
  ])('that ends with a %s says so in its own words', async (_name, outcome, words) => {
    const { emitEnd, user } = await show({ t: { schema: '{"type":"object"}' } });
    await screen.findByText('This tool takes no arguments.');
    await user.click(callTool());
    emitEnd(outcome);
    const pane = await resultPane();
    for (const word of words) expect(within(pane).getByText(word)).toBeDefined();
  });

  it('has its structured content checked', async () => {
    const { emitEnd, user } = await show({ t: { schema: '{"type":"object"}' } });
    await screen.findByText('This tool takes no arguments.');
    await user.click(callTool());
    const problems = [{ pointer: '/t', message: 'is not a number', schemaPointer: '/properties/t/type' }];
    emitEnd(result({ structured: { json: text('{"t":"x"}'), check: { type: 'invalid', problems } } }));
    const pane = await resultPane();
    expect(within(pane).getByText('1 mismatch with the output schema')).toBeDefined();
    expect(within(pane).getByRole('list').textContent).toBe('/t is not a number');
  });
});

describe('the list', () => {
  it('says why it is empty', async () => {
    const host = new ScriptedHost({
      server_list: () => ({ items: [server] }),
      tool_list: () => toolPage([], { supported: false }),
    });
    const model = createModel(host);
    await model.servers.refresh();
    render(
      <MantineProvider>
        <ModelProvider model={model}>
          <ToolsPanel serverId={SERVER} />
        </ModelProvider>
      </MantineProvider>,
    );
    expect(await screen.findByText('Tools not supported')).toBeDefined();
  });
});

it('a review of changed definitions begins in their list, and gives the focus back to its button', async () => {
  const { model, user } = await show({ add: { schema: null } });
  act(() => model.definitions.setState({ [SERVER]: { ...NO_DEFINITIONS, changed: 1 } }));
  const review = screen.getByRole('button', { name: 'Review…' });
  act(() => review.focus());
  await user.keyboard('{Enter}');
  const list = await screen.findByRole('listbox', { name: 'Changed tools' });
  await waitFor(() => expect(document.activeElement).toBe(list));
  await user.keyboard('{Escape}');
  await waitFor(() => expect(document.activeElement).toBe(review));
});

it('a selected tool that is no longer listed is named, and has its arguments when it is listed again', async () => {
  const { model, user } = await show({ sum: { schema: SUM }, add: { schema: null } });
  await typeInto(user, 'note', 'hi');
  const rows = model.tools.getState()[SERVER]!.rows;
  act(() => model.tools.patch(SERVER, { rows: rows.slice(1) }));
  expect(screen.getByText('“sum” is not in the list')).toBeDefined();
  act(() => model.tools.patch(SERVER, { rows }));
  expect(await screen.findByDisplayValue('hi')).toBeDefined();
});
