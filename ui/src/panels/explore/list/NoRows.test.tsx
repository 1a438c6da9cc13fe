import { MantineProvider } from '@mantine/core';
import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { emptyList } from '../../../model/lists/serverList';
import { NoRows } from './NoRows';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('says for how long a list is being loaded', () => {
  render(
    <MantineProvider env="test">
      <NoRows list={emptyList()} noun="tool" query="" isPart={false} onClear={() => {}} />
    </MantineProvider>,
  );
  act(() => void vi.advanceTimersByTime(12_300));
  expect(screen.getByText('Loading tools…').parentElement?.textContent).toContain('12.3 s');
});
