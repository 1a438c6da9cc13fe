import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { ScriptedHost } from '../../host/scripted';
import { ModelProvider, createModel } from '../../model/workspace/context';
import { FilterInput } from './FilterInput';

it('leaves the keys to an input method that composes a character', () => {
  const onChange = vi.fn<(value: string) => void>();
  render(
    <ModelProvider model={createModel(new ScriptedHost())}>
      <div data-filter-scope>
        <FilterInput label="Search" value="a" onChange={onChange} delayMs={0} />
        <div role="listbox" aria-label="Found" tabIndex={0} />
      </div>
    </ModelProvider>,
  );
  const field = screen.getByLabelText('Search');
  field.focus();
  for (const key of ['ArrowDown', 'Escape']) fireEvent.keyDown(field, { key, isComposing: true });
  expect(document.activeElement).toBe(field);
  expect(onChange).not.toHaveBeenCalled();
  fireEvent.keyDown(field, { key: 'ArrowDown' });
  expect(document.activeElement).toBe(screen.getByRole('listbox'));
  fireEvent.keyDown(field, { key: 'Escape' });
  expect(onChange).toHaveBeenCalledExactlyOnceWith('');
});

it('goes down to the list of its own pane, and stays where that has none', () => {
  render(
    <ModelProvider model={createModel(new ScriptedHost())}>
      <div role="listbox" aria-label="Of another pane" tabIndex={0} />
      <div data-filter-scope>
        <FilterInput label="Search" value="" onChange={() => {}} delayMs={0} />
        <button type="button">Beside</button>
        <ul>
          <li>
            <button type="button" data-entry>
              First
            </button>
            <button type="button" data-entry aria-current="page">
              Current
            </button>
          </li>
        </ul>
      </div>
      <div data-filter-scope>
        <FilterInput label="Alone" value="" onChange={() => {}} delayMs={0} />
      </div>
    </ModelProvider>,
  );
  fireEvent.keyDown(screen.getByLabelText('Search'), { key: 'ArrowDown' });
  expect(document.activeElement?.textContent).toBe('Current');
  const alone = screen.getByLabelText('Alone');
  alone.focus();
  fireEvent.keyDown(alone, { key: 'ArrowDown' });
  expect(document.activeElement).toBe(alone);
});
