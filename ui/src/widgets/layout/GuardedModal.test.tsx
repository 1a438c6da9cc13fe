import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen } from '@testing-library/react';
import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, it, onTestFinished, vi } from 'vitest';
import { CancelButton, GuardedModal, useUnsaved } from './GuardedModal';

/** A part of the dialog that knows by itself what is unsaved. */
function Part() {
  const [text, setText] = useState('');
  useUnsaved(text !== '');
  return <input aria-label="Part" value={text} onChange={(event) => setText(event.currentTarget.value)} />;
}

function show() {
  const onClose = vi.fn<() => void>();
  function Dialog() {
    const [name, setName] = useState('');
    return (
      <GuardedModal isChanged={name !== ''} onClose={onClose} title="Dialog">
        <input aria-label="Name" value={name} onChange={(event) => setName(event.currentTarget.value)} />
        <Part />
        <CancelButton />
      </GuardedModal>
    );
  }
  render(<Dialog />, { wrapper: ({ children }) => <MantineProvider env="test">{children}</MantineProvider> });
  return onClose;
}

const escape = (): void => void fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' });
const type = (label: string, value: string): void =>
  void fireEvent.change(screen.getByLabelText(label), { target: { value } });

it('is closed by Escape while nothing was entered', () => {
  const onClose = show();
  type('Name', 'x');
  type('Name', '');
  escape();
  expect(onClose).toHaveBeenCalledOnce();
});

it.each(['Name', 'Part'])('says that something is unsaved, until that is discarded or gone: %s', (field) => {
  const onClose = show();
  type(field, 'x');
  escape();
  escape();
  expect(onClose).not.toHaveBeenCalled();
  expect(screen.getByRole('alert').textContent).toBe('Unsaved changes.');
  type(field, 'xy');
  expect(screen.queryByRole('alert')).toBeNull();
  escape();
  type(field, '');
  expect(screen.getByRole('button', { name: 'Cancel' })).toBeDefined();
  type(field, 'x');
  escape();
  fireEvent.click(screen.getByRole('button', { name: 'Discard changes' }));
  expect(onClose).toHaveBeenCalledOnce();
});

it('is closed by an Escape that comes right after its part was saved', async () => {
  // `act` would run the effects of a commit before anything else could happen.
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false);
  let save = (): void => {};
  const saved = new Promise<void>((resolve) => (save = resolve));
  function Unsaved() {
    useUnsaved(true);
    return <p>Unsaved part</p>;
  }
  function Content() {
    const [isSaved, setIsSaved] = useState(false);
    useEffect(() => void saved.then(() => setIsSaved(true)), []);
    return isSaved ? <p>Saved part</p> : <Unsaved />;
  }
  const onClose = vi.fn<() => void>();
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  onTestFinished(() => {
    root.unmount();
    place.remove();
    vi.unstubAllGlobals();
  });
  root.render(
    <MantineProvider env="test">
      <GuardedModal onClose={onClose} title="Dialog">
        <Content />
        <CancelButton />
      </GuardedModal>
    </MantineProvider>,
  );
  await screen.findByText('Unsaved part');
  escape();
  await screen.findByRole('alert');
  await new Promise<void>((resolve) => {
    new MutationObserver((_, observer) => {
      if (screen.queryByText('Saved part') === null) return;
      observer.disconnect();
      resolve();
    }).observe(document.body, { childList: true, subtree: true });
    save();
  });
  escape();
  expect(onClose).toHaveBeenCalledOnce();
});
