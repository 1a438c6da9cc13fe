import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Suspense } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { PartBoundary } from './PartBoundary';
import { lazyPart } from './lazyPart';

// React logs what a boundary caught.
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}));

function show(part: React.ReactNode, resetKey = 'a') {
  return (
    <MantineProvider env="test">
      <p>The rest</p>
      <PartBoundary resetKey={resetKey}>
        <Suspense>{part}</Suspense>
      </PartBoundary>
    </MantineProvider>
  );
}

describe('PartBoundary', () => {
  it('keeps a failure to its part, and draws the part again when asked', async () => {
    const user = userEvent.setup();
    let broken = true;
    function Fragile() {
      if (broken) throw new Error('row 7 has no shape');
      return <p>Whole</p>;
    }
    render(show(<Fragile />));
    expect(screen.getByText('The rest')).toBeDefined();
    const alert = screen.getByRole('alert');
    expect(alert.textContent).toContain('cannot be shown');
    expect(alert.textContent).toContain('row 7 has no shape');
    expect(screen.getByRole('button', { name: 'Reload page' })).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Copy details' }));
    const details = await navigator.clipboard.readText();
    expect(details).toContain('row 7 has no shape');
    expect(details).toContain('at Fragile');
    broken = false;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(screen.getByText('Whole')).toBeDefined();
  });

  it('tries again by itself when something else is shown', () => {
    function Broken(): never {
      throw new Error('no');
    }
    const { rerender } = render(show(<Broken />));
    rerender(show(<p>Other</p>));
    expect(screen.getByRole('alert')).toBeDefined();
    rerender(show(<p>Other</p>, 'b'));
    expect(screen.getByText('Other')).toBeDefined();
  });

  it('asks again for code that did not arrive, and only when asked', async () => {
    const user = userEvent.setup();
    const load = vi.fn(async () => {
      if (load.mock.calls.length < 3) throw new TypeError('Failed to fetch');
      return () => <p>Loaded</p>;
    });
    const Part = lazyPart(load);
    render(show(<Part />));
    expect((await screen.findByRole('alert')).textContent).toContain('could not be loaded');
    expect(screen.getByRole('alert').textContent).toContain('Failed to fetch');
    expect(load).toHaveBeenCalledTimes(1);
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect((await screen.findByRole('alert')).textContent).toContain('could not be loaded');
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Loaded')).toBeDefined();
    expect(load).toHaveBeenCalledTimes(3);
  });
});
