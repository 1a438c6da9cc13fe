import { useMemo } from 'react';
import { SchemaForm } from '../../../forms/SchemaForm';
import type { Problem } from '../../../model/form/check/validate';
import { prepareSchema } from '../../../model/form/schema';
import { isObject, parseJson } from '../../../model/text/json';
import { WhereStored } from '../fields/WhereStored';
import classes from './BundleDialog.module.css';

interface ReviewSettingsProps {
  /** The accessible name. */
  label: string;
  schemaJson: string;
  /** The values, as JSON text. */
  text: string;
  problems: readonly Problem[];
  onText: (text: string) => void;
}

/** What a bundle or package asks its user for. */
export function ReviewSettings({ label, schemaJson, text, problems, onText }: ReviewSettingsProps) {
  const form = useMemo(() => prepareSchema(schemaJson), [schemaJson]);
  const parsed = useMemo(() => parseJson(text), [text]);
  const value = parsed.ok && isObject(parsed.value) ? parsed.value : {};
  return (
    <section aria-label={label}>
      <h3 className={classes.heading}>Settings</h3>
      {form.type === 'form' ? (
        <SchemaForm
          schema={form.schema}
          value={value}
          problems={problems}
          label="Settings"
          types="bounds"
          onText={onText}
        />
      ) : (
        <p role="alert">{form.reason}</p>
      )}
      {schemaJson.includes('"password"') && <WhereStored>Secrets are</WhereStored>}
    </section>
  );
}
