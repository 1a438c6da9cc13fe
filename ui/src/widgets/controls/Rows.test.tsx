import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { Rows } from './Rows';
import { SecretInput } from './SecretInput';

const user = userEvent.setup();

/** A list of secrets, each masked until it is shown. */
function show(first: string[]) {
  function List() {
    const [rows, setRows] = useState(first);
    return (
      <>
        <button type="button" onClick={() => setRows(['a', 'x', 'y'])}>
          Paste
        </button>
        <Rows rows={rows} onChange={setRows} noun="secret" blank="">
          {(value, index, { onChange, onRemove }) => (
            <>
              <Secret name={`Secret ${index + 1}`} value={value} onChange={onChange} />
              <button type="button" onClick={onRemove}>
                Remove {index + 1}
              </button>
            </>
          )}
        </Rows>
      </>
    );
  }
  render(<List />, { wrapper: ({ children }) => <MantineProvider env="test">{children}</MantineProvider> });
}

function Secret(props: { name: string; value: string; onChange: (value: string) => void }) {
  const [visible, setVisible] = useState(false);
  return <SecretInput {...props} visible={visible} onVisibilityChange={setVisible} />;
}

const field = (number: number) => screen.getByLabelText<HTMLInputElement>(`Secret ${number}`);
const button = (name: string) => screen.getByRole('button', { name });
const shown = (): string[] =>
  screen.getAllByLabelText<HTMLInputElement>(/^Secret/).map(({ value, type }) => `${value} ${type}`);
const reveal = (index: number): Promise<void> =>
  user.click(screen.getAllByRole('button', { name: 'Show or mask the value' })[index]!);

it('a row that is removed does not leave its state to the next', async () => {
  show(['a', 'b', 'c']);
  await reveal(1);
  expect(shown()).toEqual(['a password', 'b text', 'c password']);
  await user.click(button('Remove 1'));
  expect(shown()).toEqual(['b text', 'c password']);
  await user.click(button('Remove 1'));
  expect(shown()).toEqual(['c password']);
});

it('a value from elsewhere does not get the state of the one it replaces', async () => {
  show(['a', 'b']);
  await reveal(0);
  await reveal(1);
  await user.click(button('Paste'));
  expect(shown()).toEqual(['a text', 'x password', 'y password']);
});

it('a row keeps the focus and its state while it is edited and rows are added', async () => {
  show(['a', 'b']);
  await reveal(0);
  const first = field(1);
  await user.type(first, 'bc');
  expect([field(1) === first, shown()]).toEqual([true, ['abc text', 'b password']]);
  await user.click(button('Add secret'));
  expect(shown()).toEqual(['abc text', 'b password', ' password']);
});

it('the focus goes to the row that takes the place of a removed one', async () => {
  show(['a', 'b', 'c']);
  await user.click(button('Remove 2'));
  expect(document.activeElement).toBe(button('Remove 2'));
  await user.keyboard('{Enter}');
  expect(document.activeElement).toBe(button('Remove 1'));
  await user.keyboard('{Enter}');
  expect(document.activeElement).toBe(button('Add secret'));
});
