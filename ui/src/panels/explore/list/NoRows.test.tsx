import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { emptyList } from '../../../model/lists/serverList';
import { NoRows } from './NoRows';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('says for how long a list is being loaded, which can be cancelled', () => {
  const cancelled: string[] = [];
  render(
    <MantineProvider env="test">
      <NoRows
        list={emptyList()}
        noun="tool"
        query=""
        isPart={false}
        onClear={() => {}}
        onCancel={() => void cancelled.push('tools')}
      />
    </MantineProvider>,
  );
  act(() => void vi.advanceTimersByTime(12_300));
  expect(screen.getByText('Loading tools…').parentElement?.textContent).toContain('12 s');
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(cancelled).toEqual(['tools']);
});
