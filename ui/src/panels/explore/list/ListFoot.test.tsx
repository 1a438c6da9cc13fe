import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { emptyList } from '../../../model/lists/serverList';
import { ListFoot } from './ListFoot';

/** The foot of a list, and what its buttons do. */
function show(list: Partial<ReturnType<typeof emptyList>>): string[] {
  const done: string[] = [];
  render(
    <MantineProvider env="test">
      <ListFoot
        list={{ ...emptyList(), known: true, ...list }}
        noun="tool"
        matching={null}
        onMore={(all) => void done.push(all ? 'all' : 'next')}
        onCancel={() => void done.push('cancel')}
      />
    </MantineProvider>,
  );
  return done;
}

it('requests the pages that are left of a list', async () => {
  const done = show({ hasMore: true, pages: 2 });
  expect(screen.queryByRole('button', { name: 'Cancel' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Next page' }));
  await userEvent.click(screen.getByRole('button', { name: 'All pages' }));
  expect(done).toEqual(['next', 'all']);
});

it('cancels the request for a list that is shown', async () => {
  const done = show({ loading: true });
  expect(screen.getByText('Loading tools…')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(done).toEqual(['cancel']);
});

it('leaves the cancelling of a first request to the middle of the list', () => {
  show({ loading: true, known: false });
  expect(screen.queryByRole('button', { name: 'Cancel' })).toBeNull();
});
