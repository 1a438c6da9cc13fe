import { describe, expect, it } from 'vitest';
import { writeJsonCompact } from '../../model/text/json';
import { prepareSchema } from '../../model/form/schema';
import { compileCheck } from '../../model/form/check/validate';
import { CASES } from './fixtures';

it('has schemas of real servers and hand-made ones', () => {
  expect(CASES.length).toBeGreaterThanOrEqual(180);
});

describe.each(CASES)('$group: $name', ({ schema, schemaJson, valid, invalid }) => {
  const check = compileCheck(schema);

  it('has a form', () => {
    expect(prepareSchema(schemaJson)).toMatchObject({ type: 'form' });
  });

  it('accepts every valid sample', () => {
    for (const sample of valid) {
      expect([writeJsonCompact(sample), check(sample)]).toEqual([
        writeJsonCompact(sample),
        { type: 'checked', problems: [] },
      ]);
    }
  });

  it('finds the problem of every invalid sample at its place', () => {
    for (const { value, at } of invalid) {
      const found = check(value);
      const pointers = found.type === 'checked' ? found.problems.map(({ pointer }) => pointer) : found.type;
      expect([writeJsonCompact(value), pointers]).toEqual([writeJsonCompact(value), at]);
    }
  });
});
