import { render } from '@testing-library/react';
import { expect, it } from 'vitest';
import { row } from '../../model/traffic/trafficRows.fixture';
import { TrafficRow } from './TrafficRow';

it('warns of violations unless all of them matter to other hosts only, also of records that are not read', () => {
  const tip = (rules: string[]): string | null | undefined => {
    const shown = row(1, { violationCount: 2, rules });
    const { container } = render(<TrafficRow row={shown} showServer={false} isPair={false} />);
    return container.querySelector('[data-tip*="violation"]')?.getAttribute('data-tip');
  };
  expect(tip(['carriage-return'])).toContain('only other hosts may be affected');
  expect(tip(['carriage-return', 'not-json'])).toBe('2 violations of the specification');
  // Of older versions, or not kept.
  expect(tip([])).toBe('2 violations of the specification');
});
