import { expect, it } from 'vitest';
import rules from '../../../../../docs/src/reference/lint-rules.md?raw';
import { ELSEWHERE, heaviest, weightOf } from './weight';

it('names rules that exist', () => {
  for (const rule of ELSEWHERE) expect(rules).toContain(`[\`${rule}\`]`);
});

it('is known of a record by the rules that its row has at most', () => {
  expect(ELSEWHERE.size).toBeLessThan(20);
});

it('is what matters to this user, the heaviest of several', () => {
  const dialect = { rule: 'schema-dialect', severity: 'warning' } as const;
  const icon = { rule: 'icon-source', severity: 'warning' } as const;
  const stray = { rule: 'not-json', severity: 'error' } as const;
  expect([dialect, icon, stray].map(weightOf)).toEqual(['info', 'warning', 'error']);
  expect(heaviest([dialect, icon])).toBe('warning');
  expect(heaviest([dialect, stray])).toBe('error');
  expect(heaviest([])).toBe('info');
});
