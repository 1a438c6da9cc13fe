import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { ServerId } from '../../contract/generated';
import { CommandFailure } from '../../host/host';
import { draft, open, press, type } from './ServerDialog.test.fixture';

describe('several servers that were pasted', () => {
  it('lets choose among several pasted servers, in their order', async () => {
    const { called } = await open(null, {
      server_parse: () => ({
        drafts: ['a', 'b', 'c'].map(draft),
        problems: ['"d": not supported yet'],
        secrets: [],
      }),
    });
    type('Paste anything', '{"mcpServers":{}}');
    fireEvent.click(await screen.findByRole('checkbox', { name: /^b/ }));
    expect(screen.getByText('"d": not supported yet')).toBeDefined();
    press('Add 2');
    await waitFor(() => expect(called('server_add')).toEqual([{ draft: draft('a') }, { draft: draft('c') }]));
    expect(called('connection_open')).toEqual([]);
  });

  it('can be closed at the server that was added when a later one is left out', async () => {
    const { model, onClose } = await open(null, {
      server_parse: () => ({ drafts: ['a', 'b'].map(draft), problems: [], secrets: [] }),
      server_add: ({ draft: { name } }) =>
        name === 'a'
          ? { serverId: 'new' as ServerId }
          : new CommandFailure({ code: 'invalidParams', message: 'No such folder.', detail: null }),
    });
    type('Paste anything', '{"mcpServers":{}}');
    fireEvent.click(await screen.findByRole('button', { name: 'Add 2' }));
    await screen.findByText('No such folder.');
    await screen.findByRole('button', { name: 'Add 1' });
    const escape = (): void => void fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' });
    escape();
    expect(screen.getByText('Unsaved changes.')).toBeDefined();
    fireEvent.click(screen.getByRole('checkbox', { name: /^b/ }));
    expect(screen.queryByRole('button', { name: /^Add \d|Discard/ })).toBeNull();
    fireEvent.click(screen.getAllByRole('button', { name: 'Close' }).at(-1)!);
    expect(onClose).toHaveBeenCalledOnce();
    expect(model.ui.getState().selectedServer).toBe('new');
    escape();
    expect(onClose).toHaveBeenCalledTimes(2);
  });

  it('says nothing of an earlier text when a later one cannot be read', async () => {
    await open(null, {
      server_parse: ({ text }) =>
        text === 'two'
          ? { drafts: ['a', 'b'].map(draft), problems: ['"d": not supported yet'], secrets: [] }
          : new CommandFailure({ code: 'invalidParams', message: 'Too long.', detail: null }),
    });
    type('Paste anything', 'two');
    await screen.findByText('2 servers found.');
    type('Paste anything', 'more');
    await screen.findByText('Too long.');
    expect(screen.queryByText('2 servers found.')).toBeNull();
    expect(screen.queryByText('"d": not supported yet')).toBeNull();
  });
});

describe('a pasted text that is saved before it is read', () => {
  it('is saved as soon as it is read', async () => {
    const { called, onClose } = await open(null, {
      server_parse: () => ({ drafts: [draft('a')], problems: [], secrets: [] }),
    });
    type('Paste anything', 'npx a');
    press('Save and connect');
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(called('server_add')).toEqual([{ draft: draft('a') }]);
    await waitFor(() => expect(called('connection_open')).toEqual([{ serverId: 'new-1' }]));
  });

  it('is not saved if it has several servers: they are chosen from first', async () => {
    const { called } = await open(null, {
      server_parse: () => ({ drafts: ['a', 'b'].map(draft), problems: [], secrets: [] }),
    });
    type('Paste anything', '{"mcpServers":{}}');
    press('Save and connect');
    await screen.findByText('2 servers found.');
    expect(called('server_add')).toEqual([]);
    press('Add 2 and connect');
    await waitFor(() => expect(called('server_add')).toHaveLength(2));
  });
});
