import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import type { ErrorCode } from '../../../contract/generated';
import { emptyList } from '../../../model/lists/serverList';
import { ListNotices } from './ListNotices';

/** The notices of a list whose request ended with `code`, and how often it was requested again. */
function show(code: ErrorCode): () => number {
  let requested = 0;
  const error = { code, message: 'The tools could not be listed.', detail: null };
  render(
    <MantineProvider env="test">
      <ListNotices list={{ ...emptyList(), error }} noun="Tool list" onRefresh={() => void requested++} />
    </MantineProvider>,
  );
  return () => requested;
}

it('shows a list that the user cancelled without an error, and requests it again', async () => {
  const requested = show('cancelled');
  expect(screen.queryByRole('alert')).toBeNull();
  expect(screen.getByRole('status').textContent).toContain('Tool list request was cancelled.');
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(requested()).toBe(1);
});

it('shows why a list could not be requested, once', () => {
  show('timedOut');
  expect(screen.getByRole('alert').textContent).toContain('The tools could not be listed.');
  expect(screen.queryByText(/cancelled/)).toBeNull();
  expect(screen.getAllByRole('button', { name: 'Retry' })).toHaveLength(1);
});
