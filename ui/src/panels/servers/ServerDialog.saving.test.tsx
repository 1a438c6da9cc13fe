import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { ServerParseResponse } from '../../contract/generated';
import { connection, server } from '../../model/servers/servers.fixture';
import { draft, open, press, type } from './ServerDialog.test.fixture';

const parsed = (command: string, ...args: string[]): ServerParseResponse => ({
  drafts: [{ ...draft('a'), transport: { type: 'stdio', command, args, env: [], cwd: null } }],
  problems: [],
  secrets: [],
});
const broken = (problem: string): ServerParseResponse => ({ drafts: [], problems: [problem], secrets: [] });
const value = (label: string): string => screen.getByLabelText<HTMLTextAreaElement>(label).value;

it('saves nothing while a command line cannot be read, and does not drop it', async () => {
  const { called, onClose } = await open(server('a', connection({})), {
    server_parse: () => broken('A quote is not closed.'),
  });
  press('Edit as command line');
  type('Command line', "new 'one");
  await screen.findByText('A quote is not closed.');
  press('Save');
  fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' });
  expect(await screen.findByText('Unsaved changes.')).toBeDefined();
  expect(onClose).not.toHaveBeenCalled();
  expect(called('server_update')).toEqual([]);
  // It is there again after the other transport was shown.
  fireEvent.click(screen.getByLabelText('URL (HTTP)'));
  fireEvent.click(screen.getByLabelText('Program (stdio)'));
  expect(value('Command line')).toBe("new 'one");
  press('Edit as list');
  press('Save');
  await waitFor(() => expect(called('server_update')).toHaveLength(1));
});

it('saves a command line that is still being read once it is', async () => {
  let answer: (parsed: ServerParseResponse) => void = () => {};
  const { called } = await open(server('a', connection({})), {
    server_parse: () => new Promise((resolve) => (answer = resolve)),
  });
  press('Edit as command line');
  type('Command line', 'new  --flag');
  press('Save');
  expect(called('server_update')).toEqual([]);
  answer(parsed('new', '--flag'));
  await waitFor(() =>
    expect(called('server_update')).toMatchObject([
      { draft: { transport: { command: 'new', args: ['--flag'] } } },
    ]),
  );
  // As it was typed.
  expect(value('Command line')).toBe('new  --flag');
});

it('keeps open what was opened for a wrong field while that is corrected', async () => {
  await open(server('a', connection({})));
  press('Era and timeouts');
  type('Request timeout (s)', 'x');
  press('Era and timeouts');
  press('Save');
  type('Request timeout (s)', '5');
  expect(value('Request timeout (s)')).toBe('5');
});

it('offers to split another command line after one that could not be split', async () => {
  await open(null, { server_parse: () => broken('A quote is not closed.') });
  type('Command', "npx -y 'a");
  press('Split into arguments');
  await screen.findByText('A quote is not closed.');
  type('Command', 'npx -y a');
  expect(screen.getByRole('button', { name: 'Split into arguments' })).toBeDefined();
});
