import { act, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { TrafficHead } from './TrafficHead';

it('is reached by Tab at the column that has the focus, and else at one that is never hidden', () => {
  render(<TrafficHead showServer onSort={vi.fn<() => void>()} />);
  const stops = () =>
    screen
      .getAllByRole('button')
      .filter(({ tabIndex }) => tabIndex === 0)
      .map(({ textContent }) => textContent);
  const server = screen.getByRole('button', { name: 'Server' });
  expect(stops()).toEqual(['Time']);
  act(() => server.focus());
  expect(stops()).toEqual(['Server']);
  act(() => server.blur());
  expect(stops()).toEqual(['Time']);
});
