import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { Segments } from './Segments';

it('is one choice of a few, what is off cannot be chosen', async () => {
  const user = userEvent.setup();
  const onChange = vi.fn();
  render(
    <Segments
      label="Shown as"
      value="a"
      onChange={onChange}
      segments={[
        { value: 'a', label: 'First' },
        { value: 'b', label: 'Second' },
        { value: 'c', label: 'Third', disabled: true },
      ]}
    />,
  );
  expect(screen.getByRole('radiogroup', { name: 'Shown as' })).toBeDefined();
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'First' }).checked).toBe(true);
  await user.click(screen.getByText('Second'));
  expect(onChange).toHaveBeenLastCalledWith('b');
  await user.click(screen.getByText('Third'));
  expect(onChange).toHaveBeenCalledTimes(1);
});
