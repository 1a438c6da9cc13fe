import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_OPTIONS, toolKey } from '../../../model/exchange/request';
import { SERVER, show, result, SUM, typeInto, callTool, resultPane } from './ToolsPanel.test.fixture';

beforeEach(() => {
  // CodeMirror measures text, which jsdom cannot.
  Range.prototype.getClientRects = () => [] as unknown as DOMRectList;
  Range.prototype.getBoundingClientRect = () => new DOMRect();
});

describe('a call', () => {
  it('that is refused is announced each time, and not with each change', async () => {
    const { user } = await show({ sum: { schema: SUM } });
    const problems = () => screen.getByRole('list', { name: '1 problem' });
    await user.click(callTool());
    const first = await screen.findByText('Not sent: a is required.');
    expect(first.getAttribute('role')).toBe('alert');
    expect(problems().closest('[role=alert]')).toBeNull();
    await typeInto(user, /^a/, 'x');
    await waitFor(() => expect(problems().textContent).toBe('a must be an integer'));
    expect(screen.getByText(/^Not sent/)).toBe(first);
    await user.click(callTool());
    await screen.findByText('Not sent: a must be an integer.');
    expect(first.isConnected).toBe(false);
  });

  it('keeps its task when another option is changed where the tool has no tasks', async () => {
    const { model, user } = await show({ quick: { schema: '{"type":"object"}' } });
    const key = toolKey(SERVER, 'quick');
    act(() => model.toolDrafts.change(key, { options: { ...DEFAULT_OPTIONS, asTask: { ttlMs: 5 } } }));
    await user.click(screen.getByRole('button', { name: 'Call options' }));
    await typeInto(user, 'Request timeout (s)', '7');
    const { options } = model.toolDrafts.getState()[key] ?? {};
    expect(options?.timeouts).not.toBeNull();
    expect(options?.asTask).toEqual({ ttlMs: 5 });
  });

  it('that is run again leaves the problems of what is typed', async () => {
    const { host, model, emitEnd, user } = await show({ sum: { schema: SUM } });
    const key = toolKey(SERVER, 'sum');
    act(() => model.toolDrafts.change(key, { text: '{"a":1}' }));
    await user.click(callTool());
    await waitFor(() => expect(host.streams('tool_call')).toHaveLength(1));
    emitEnd(result({}));
    act(() => model.toolDrafts.change(key, { text: '{}', tried: true }));
    await screen.findByRole('list', { name: '1 problem' });
    await user.click(
      within(await resultPane()).getByRole('button', { name: 'Run again with the same arguments' }),
    );
    expect(host.streams('tool_call')).toHaveLength(2);
    expect(screen.getByRole('list', { name: '1 problem' }).textContent).toBe('a is required');
  });
});
