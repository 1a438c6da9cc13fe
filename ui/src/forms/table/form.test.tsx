import { MantineProvider } from '@mantine/core';
import { fireEvent, render } from '@testing-library/react';
import { isLosslessNumber } from 'lossless-json';
import { useMemo, useState } from 'react';
import { describe, expect, it } from 'vitest';
import { readArguments } from '../../model/form/arguments';
import { prepareSchema } from '../../model/form/schema';
import { compileCheck } from '../../model/form/check/validate';
import {
  type Json,
  type JsonObject,
  isObject,
  toPointer,
  writeJson,
  writeJsonCompact,
} from '../../model/text/json';
import { SchemaForm } from '../SchemaForm';
import { CASES, type TableCase, leavesOf } from './fixtures';

/** The form as the panels show it: the text is checked and edited, and replaced from outside. */
function Editor({ of, given, texts }: { of: TableCase; given: string; texts: string[] }) {
  const [edited, setEdited] = useState({ given, text: given });
  const text = edited.given === given ? edited.text : given;
  const form = useMemo(() => prepareSchema(of.schemaJson), [of]);
  const check = useMemo(() => compileCheck(of.schema), [of]);
  const state = readArguments(text);
  if (form.type !== 'form' || state.type !== 'object') throw new Error('no form');
  const found = check(state.value);
  return (
    <MantineProvider env="test">
      <SchemaForm
        schema={form.schema}
        value={state.value}
        problems={found.type === 'checked' ? found.problems : []}
        onText={(next) => {
          texts.push(next);
          setEdited({ given, text: next });
        }}
      />
    </MantineProvider>
  );
}

/** The form of a case, for one value after another. */
function formOf(of: TableCase) {
  const texts: string[] = [];
  const editor = (value: JsonObject) => <Editor of={of} given={writeJson(value)} texts={texts} />;
  const { container, rerender } = render(editor({}));
  return {
    container,
    texts,
    show(value: JsonObject) {
      rerender(editor(value));
      texts.length = 0;
    },
  };
}

type Control = HTMLInputElement | HTMLTextAreaElement;

function fieldAt(container: HTMLElement, pointer: string): HTMLElement | undefined {
  return [...container.querySelectorAll<HTMLElement>('[data-field]')].find(
    (field) => field.dataset['field'] === pointer,
  );
}

/** The elements of a field that belong to no field inside it. */
function own<E extends HTMLElement>(field: HTMLElement, selector: string): E[] {
  return [...field.querySelectorAll<E>(selector)].filter((one) => one.closest('[data-field]') === field);
}

/** What the field at a path shows: its own control, or that of the field around it. */
function shownAt(container: HTMLElement, path: string[]): string {
  for (let depth = path.length; depth > 0; depth -= 1) {
    const field = fieldAt(container, toPointer(path.slice(0, depth)));
    if (field === undefined) continue;
    const radios = own<HTMLInputElement>(field, 'input[type=radio]').filter((radio) => radio.checked);
    const texts = own<Control>(field, 'input:not([type=radio], [type=hidden], [data-name]), textarea');
    const others = own(field, '.cm-content, [data-value], .mantine-Pill-label');
    return [
      ...[...radios, ...texts].map(({ value }) => value),
      ...others.map(({ textContent }) => textContent),
    ].join('\n');
  }
  return '(no field)';
}

/** The texts a control can show for a value: itself, its JSON, or its title. */
function textsOf(value: Json, titles: Map<string, string>): string[] {
  const json = writeJsonCompact(value);
  const text = typeof value === 'string' ? value : isLosslessNumber(value) ? value.value : json;
  const title = titles.get(json);
  return [text, json.replaceAll(/^"|"$/g, ''), ...(title === undefined ? [] : [title])];
}

/** The titles of constants in a schema. */
function titlesIn(schema: Json, titles = new Map<string, string>()): Map<string, string> {
  if (Array.isArray(schema)) for (const one of schema) titlesIn(one, titles);
  else if (isObject(schema)) {
    const { const: constant, title } = schema;
    if (constant !== undefined && typeof title === 'string') titles.set(writeJsonCompact(constant), title);
    for (const one of Object.values(schema)) titlesIn(one, titles);
  }
  return titles;
}

/** The text fields of values, not of names or of selects. */
const TEXT_FIELDS = ['input:not([type=radio], [type=hidden])', 'textarea']
  .map((one) => `[data-field] ${one}:not([data-name], [readonly], [aria-haspopup])`)
  .join(',');

describe.each(CASES)('$group: $name', (of) => {
  it('shows each valid sample without a change, and gives it back exactly after an undone edit', () => {
    const { container, texts, show } = formOf(of);
    const titles = titlesIn(of.schema);
    for (const sample of of.valid) {
      show(sample);
      const missing = leavesOf(sample).filter(({ path, value }) => {
        const shown = shownAt(container, path);
        return !textsOf(value, titles).some((text) => shown.includes(text));
      });
      expect([writeJsonCompact(sample), missing, texts]).toEqual([writeJsonCompact(sample), [], []]);
      expect(container.querySelectorAll('[data-errors], [role=alert]')).toHaveLength(0);
      const controls = [...container.querySelectorAll<Control>(TEXT_FIELDS)].filter(
        ({ value }) => value !== '',
      );
      for (const control of new Set([controls[0], controls.at(-1)])) {
        if (control === undefined) continue;
        const { value } = control;
        fireEvent.change(control, { target: { value: `${value}1` } });
        fireEvent.change(control, { target: { value } });
        expect([texts.length, texts.at(-1)]).toEqual([2, writeJson(sample)]);
        texts.length = 0;
      }
    }
  });

  it('shows the problem of each invalid sample at its field', () => {
    const { container, texts, show } = formOf(of);
    for (const { value, at } of of.invalid) {
      show(value);
      const places = [...container.querySelectorAll('[data-errors]')].map(
        (error) => error.closest<HTMLElement>('[data-field]')?.dataset['field'],
      );
      expect([writeJsonCompact(value), places, texts]).toEqual([writeJsonCompact(value), at, []]);
    }
  });
});
