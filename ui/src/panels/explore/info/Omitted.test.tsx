import { render } from '@testing-library/react';
import { expect, it } from 'vitest';
import { Extensions } from './Extensions';

it('a table of extensions draws a bounded number of them, and says how many it leaves out', () => {
  const declared = (count: number): string =>
    JSON.stringify({
      extensions: Object.fromEntries(Array.from({ length: count }, (_, at) => [`e${at}`, {}])),
    });
  const { container, rerender } = render(<Extensions server={declared(20_000)} client={null} />);
  expect(container.querySelectorAll('tbody tr')).toHaveLength(200);
  expect(container.querySelector('tfoot')?.textContent).toContain('19,800 more are not shown here');
  rerender(<Extensions server={declared(3)} client={null} />);
  expect(container.querySelectorAll('tbody tr')).toHaveLength(3);
  expect(container.querySelector('tfoot')).toBeNull();
});
