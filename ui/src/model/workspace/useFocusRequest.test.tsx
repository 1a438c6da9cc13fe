import { act, render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { ScriptedHost } from '../../host/scripted';
import { ModelProvider, createModel } from './context';
import { useFocusRequest } from './useFocusRequest';

function Place({ isShown }: { isShown: boolean }) {
  useFocusRequest('tools', null, isShown, () => screen.getByLabelText('Arguments').focus());
  return (
    <>
      <button>before</button>
      <input aria-label="Command palette" />
      <input aria-label="Arguments" />
    </>
  );
}

/** A request that is made while `before` has the focus, and what shows its place. */
function request() {
  const model = createModel(new ScriptedHost({}));
  const at = (isShown: boolean) => (
    <ModelProvider model={model}>
      <Place isShown={isShown} />
    </ModelProvider>
  );
  const { rerender } = render(at(false));
  const before = screen.getByRole('button', { name: 'before' });
  before.focus();
  act(() => model.workspace.setState({ focusRequest: { place: 'tools', serverId: null, from: before } }));
  expect(document.activeElement).toBe(before);
  return { model, before, show: () => rerender(at(true)) };
}

it('a place takes the focus when it is shown', () => {
  const { model, show } = request();
  show();
  expect(document.activeElement).toBe(screen.getByLabelText('Arguments'));
  expect(model.workspace.getState().focusRequest).toBeNull();
});

it('what the person has gone to meanwhile keeps the focus', () => {
  const { model, show } = request();
  const palette = screen.getByLabelText('Command palette');
  palette.focus();
  show();
  expect(document.activeElement).toBe(palette);
  expect(model.workspace.getState().focusRequest).toBeNull();
});

it('a place takes the focus that went with what had it', () => {
  const { before, show } = request();
  before.blur();
  show();
  expect(document.activeElement).toBe(screen.getByLabelText('Arguments'));
});
