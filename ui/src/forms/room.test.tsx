import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { prepareSchema } from '../model/form/schema';
import { SchemaForm } from './SchemaForm';

const members = (count: number, of: object) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, of]));

function show(schema: object) {
  const form = prepareSchema(JSON.stringify(schema));
  if (form.type !== 'form') throw new Error(form.reason);
  const { container } = render(
    <MantineProvider env="test">
      <SchemaForm schema={form.schema} value={form.defaults} problems={[]} onText={() => {}} />
    </MantineProvider>,
  );
  return () => container.querySelectorAll('[data-field]').length;
}

describe('a form draws a bounded number of fields', () => {
  it.each([
    ['a schema that contains itself', { type: 'object', properties: members(40, { $ref: '#' }) }],
    ['objects in objects', { properties: members(40, { properties: members(40, { type: 'string' }) }) }],
    [
      'references that double',
      {
        properties: { x: { $ref: '#/$defs/l0' } },
        $defs: Object.fromEntries(
          Array.from({ length: 41 }, (_, at) => {
            const next = { $ref: `#/$defs/l${at + 1}` };
            return [`l${at}`, at === 40 ? {} : { type: 'object', properties: { a: next, b: next } }];
          }),
        ),
      },
    ],
    [
      'lists in a default',
      {
        properties: {
          x: {
            type: 'array',
            items: { type: 'array', items: { type: 'number' } },
            default: Array(100).fill(Array(100).fill(0)),
          },
        },
      },
    ],
  ])('of %s', (_, schema) => {
    expect(show(schema)()).toBeLessThanOrEqual(160);
  });

  it('and draws the others on request', async () => {
    const fields = show({ properties: members(130, { type: 'string' }) });
    expect(fields()).toBe(100);
    await userEvent.setup().click(screen.getByRole('button', { name: 'Show more of 130 properties' }));
    expect(fields()).toBe(130);
  });
});
