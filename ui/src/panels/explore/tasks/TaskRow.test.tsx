import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { TaskItem } from '../../../contract/generated';
import { TaskRow } from './TaskRow';

const TASK: TaskItem = {
  taskId: 't1',
  status: 'working',
  isFinal: false,
  progress: null,
  statusMessage: 'Started',
  createdAt: null,
  lastUpdatedAt: null,
  ttlMs: null,
  pollIntervalMs: null,
  tool: 'slow',
  seq: null,
  violations: [],
};

it('shows the status message of a task, and its progress once there is some', () => {
  const { rerender } = render(<TaskRow task={TASK} />);
  expect(screen.getByText('Started')).toBeDefined();
  rerender(<TaskRow task={{ ...TASK, progress: { progress: 3, total: 4, message: 'Reading' } }} />);
  expect(screen.getByText('3 of 4 · Reading')).toBeDefined();
});

it('shows a status that JavaScript knows as a name, as received', () => {
  render(<TaskRow task={{ ...TASK, status: 'constructor' }} />);
  expect(screen.getByText('constructor')).toBeDefined();
});

it('shows the beginning of a long status', () => {
  render(<TaskRow task={{ ...TASK, status: 'x'.repeat(20_000) }} />);
  expect(screen.getByText(/^x+…$/).textContent).toHaveLength(41);
});
