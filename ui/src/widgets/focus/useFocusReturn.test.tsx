import { act, render, screen } from '@testing-library/react';
import { Activity } from 'react';
import { expect, it } from 'vitest';
import { useFocusReturn } from './useFocusReturn';

function Part({ open }: { open: boolean }) {
  useFocusReturn(open);
  return <button type="button">Inside</button>;
}

function View({ open = false, mode = 'visible' }: { open?: boolean; mode?: 'visible' | 'hidden' }) {
  return (
    <>
      <button type="button">Outside</button>
      <Activity mode={mode}>
        <Part open={open} />
      </Activity>
      {open && <button type="button">Dialog</button>}
    </>
  );
}

const button = (name: string) => screen.getByRole('button', { name });

it('returns the focus to where it was before a dialog opened', () => {
  const { rerender } = render(<View />);
  act(() => button('Inside').focus());
  rerender(<View open />);
  act(() => button('Dialog').focus());
  rerender(<View />);
  expect(document.activeElement).toBe(button('Inside'));
});

it('leaves the focus where it is when a hidden part is shown again', () => {
  const { rerender } = render(<View />);
  act(() => button('Inside').focus());
  rerender(<View mode="hidden" />);
  act(() => button('Outside').focus());
  rerender(<View />);
  expect(document.activeElement).toBe(button('Outside'));
});
