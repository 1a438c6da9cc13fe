import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
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

it('is one stop for the Tab key; the arrows choose, and step over what is off', async () => {
  const user = userEvent.setup();
  function Choice() {
    const [value, setValue] = useState<'a' | 'b' | 'c'>('a');
    return (
      <>
        <Segments
          label="Shown as"
          value={value}
          onChange={setValue}
          segments={[
            { value: 'a', label: 'First' },
            { value: 'b', label: 'Second', disabled: true },
            { value: 'c', label: 'Third' },
          ]}
        />
        <button type="button">after</button>
      </>
    );
  }
  render(<Choice />);
  const chosen = (): string | null | undefined =>
    screen.getAllByRole<HTMLInputElement>('radio').find(({ checked }) => checked)?.parentElement?.textContent;
  await user.tab();
  expect(document.activeElement).toBe(screen.getByRole('radio', { name: 'First' }));
  await user.keyboard('{ArrowRight}');
  expect(chosen()).toBe('Third');
  expect(document.activeElement).toBe(screen.getByRole('radio', { name: 'Third' }));
  await user.keyboard('{ArrowRight}');
  expect(chosen()).toBe('First');
  await user.keyboard('{ArrowLeft}');
  expect(chosen()).toBe('Third');
  await user.tab();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'after' }));
});
