// Not the package's entry point, which also loads its test helpers and with them Ajv.
import withTheme from '@rjsf/core/lib/withTheme.js';
import {
  type ErrorSchema,
  type RJSFSchema,
  TranslatableString,
  type ValidatorType,
  englishStringTranslator,
} from '@rjsf/utils';
import { useMemo, useRef } from 'react';
import { editArguments } from '../model/form/arguments';
import { type JsonObject, fromPointer, memberAt, toPlain, toPointer } from '../model/text/json';
import type { PlainSchema } from '../model/form/schema';
import { type Problem, fits } from '../model/form/validate';
import { AnyField, NumberField } from './fields';
import type { SchemaFormContext, FormValue } from './formContext';
import { templates } from './templates';
import { widgets } from './widgets';

/** The form library uses this only to find the matching alternative of a choice; model/form/validate finds the problems. */
const validator: ValidatorType<FormValue, RJSFSchema, SchemaFormContext> = {
  validateFormData: () => ({ errors: [], errorSchema: {} }),
  isValid: (schema, formData, rootSchema) => fits(schema, formData, rootSchema),
  rawValidation: () => ({ errors: [] }),
};

const Form = withTheme<FormValue, RJSFSchema, SchemaFormContext>({
  widgets: widgets,
  templates,
  fields: { NumberField: NumberField as never, FallbackField: AnyField as never },
});

/** The text already contains the defaults (model/form/schema); the form must not add them again after they were deleted. */
const BEHAVIOUR = {
  arrayMinItems: { populate: 'never' },
  emptyObjectFields: 'skipEmptyDefaults',
  constAsDefaults: 'always',
  mergeDefaultsIntoFormData: 'useFormDataIfPresent',
} as const;

const UI_SCHEMA = { 'ui:submitButtonOptions': { norender: true } };

export interface SchemaFormProps {
  schema: PlainSchema;
  /** The JSON text of an object: what the form shows and edits. */
  text: string;
  value: JsonObject;
  problems: Problem[];
  onText: (text: string) => void;
  /** Unique in the window. */
  id: string;
}

/** A JSON object as a form. It keeps no state: it reads the text and writes it. */
export function SchemaForm({ schema, text, value, problems, onText, id }: SchemaFormProps) {
  const plain = useMemo(() => toPlain(value), [value]);
  const errors = useMemo(() => toErrorSchema(problems), [problems]);
  const typed = useRef(new Map<string, string>());
  /** What the form shows, if that is more than it was given. */
  const drawn = useRef<{ value: FormValue } | null>(null);
  const context = useMemo<SchemaFormContext>(
    () => ({
      exact: (path) => memberAt(value, path),
      typed: (path, number) => void typed.current.set(toPointer(path), number),
    }),
    [value],
  );
  return (
    <Form
      schema={schema}
      uiSchema={UI_SCHEMA}
      formData={plain}
      formContext={context}
      validator={validator}
      extraErrors={errors}
      noValidate
      noHtml5Validate
      showErrorList={false}
      tagName="div"
      idPrefix={id}
      experimental_defaultFormStateBehavior={BEHAVIOUR}
      translateString={(key, params) =>
        key === TranslatableString.NewStringDefault ? '' : englishStringTranslator(key, params)
      }
      onChange={({ formData }, field) => {
        const before = drawn.current ?? { value: plain };
        drawn.current = { value: formData };
        // Without a field it was not the user: the form has added what it shows.
        if (field === undefined) return;
        const next = editArguments(text, {
          drawn: before.value,
          edited: formData,
          typed: (path) => typed.current.get(toPointer(path)),
        });
        if (next !== text) onText(next);
      }}
    />
  );
}

function toErrorSchema(problems: Problem[]): ErrorSchema<FormValue> {
  const root: Record<string, unknown> = {};
  for (const { pointer, message } of problems) {
    let at = root;
    for (const step of fromPointer(pointer)) {
      const inner = (at[step] ?? {}) as Record<string, unknown>;
      at[step] = inner;
      at = inner;
    }
    const list = (at['__errors'] ?? []) as string[];
    list.push(message);
    at['__errors'] = list;
  }
  return root;
}
