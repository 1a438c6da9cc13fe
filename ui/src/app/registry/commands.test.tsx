import { render, screen } from '@testing-library/react';
import { Activity } from 'react';
import { expect, it } from 'vitest';
import { ScriptedHost } from '../../host/scripted';
import { createActions } from '../../model/workspace/actions';
import { createModel } from '../../model/workspace/context';
import { COMMANDS } from './commands';

/** Runs the command that focuses the filter; whether there was one. */
function focusFilter(): boolean {
  const model = createModel(new ScriptedHost());
  const command = COMMANDS.find(({ id }) => id === 'filter');
  return command?.run({ model, actions: createActions(model) }, 0) !== false;
}

it('focuses the filter of the pane with the focus, else the first, and none that is out of sight', () => {
  const { rerender } = render(
    <>
      <Activity mode="hidden">
        <section data-filter-scope>
          <input data-filter aria-label="Hidden" />
        </section>
      </Activity>
      <section>
        <input data-filter aria-label="First" />
      </section>
      <section data-filter-scope>
        <input data-filter aria-label="Second" />
        <button type="button">Beside</button>
      </section>
    </>,
  );
  expect(focusFilter()).toBe(true);
  expect(document.activeElement).toBe(screen.getByLabelText('First'));
  screen.getByRole('button', { name: 'Beside' }).focus();
  expect(focusFilter()).toBe(true);
  expect(document.activeElement).toBe(screen.getByLabelText('Second'));

  rerender(
    <Activity mode="hidden">
      <input data-filter aria-label="Hidden" />
    </Activity>,
  );
  expect(focusFilter()).toBe(false);
});
