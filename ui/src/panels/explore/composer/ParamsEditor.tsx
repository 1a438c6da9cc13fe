import { useMemo } from 'react';
import { useSuggestions } from '../../../forms/suggestions/useSuggestions';
import { SchemaForm } from '../../../forms/SchemaForm';
import { readArguments } from '../../../model/form/arguments';
import { prepareSchema } from '../../../model/form/schema';
import { useCheck } from '../../../model/form/check/useCheck';
import { paramsSchemaOf } from '../../../model/exchange/paramsSchema';
import { MAX_LIVE } from '../../../model/text/json';
import { JsonEditor } from '../../../widgets/code/JsonEditor';
import { Segments } from '../../../widgets/controls/Segments';
import classes from './composer.module.css';

interface ParamsEditorProps {
  method: string;
  /** JSON text; empty for no params. */
  text: string;
  asForm: boolean;
  onForm: (asForm: boolean) => void;
  onChange: (text: string) => void;
}

/** The params of a request as JSON, or as a form if the specification defines the method. Problems are shown, never prevented. */
export function ParamsEditor({ method, text, asForm, onForm, onChange }: ParamsEditorProps) {
  const schemaJson = paramsSchemaOf(method);
  const form = useMemo(() => prepareSchema(schemaJson), [schemaJson]);
  const isLarge = text.length > MAX_LIVE;
  const read = text.trim() === '' || isLarge ? '{}' : text;
  const state = useMemo(() => readArguments(read), [read]);
  const { problems } = useCheck(schemaJson, state.type !== 'object' || isLarge ? null : read);
  const suggestions = useSuggestions(form, state);
  const noForm = isLarge
    ? TOO_LARGE
    : form.type !== 'form'
      ? whyUnknown(method)
      : state.type === 'object'
        ? null
        : NOT_AN_OBJECT;
  return (
    <>
      <div className={classes.editAs}>
        <Segments
          label="Edit params as"
          value={asForm && noForm === null ? 'form' : 'json'}
          onChange={(value) => onForm(value === 'form')}
          segments={[
            { value: 'form', label: 'Form', disabled: noForm !== null },
            { value: 'json', label: 'JSON' },
          ]}
        />
        {asForm && noForm !== null && <span>{noForm}</span>}
      </div>
      {asForm && noForm === null && form.type === 'form' && state.type === 'object' ? (
        <div className={classes.form}>
          <SchemaForm
            key={method}
            label="Params"
            schema={form.schema}
            value={state.value}
            problems={problems}
            onText={onChange}
          />
        </div>
      ) : (
        <div className={classes.text}>
          <JsonEditor
            value={text}
            label="Params"
            placeholder="No params"
            optional
            marks={problems}
            suggestions={suggestions}
            onChange={onChange}
          />
        </div>
      )}
    </>
  );
}

const TOO_LARGE = 'The params are too large for a form.';
const NOT_AN_OBJECT = 'The form is available when the text is a JSON object that it can show without loss.';

function whyUnknown(method: string): string {
  return method === ''
    ? 'Enter a method to get its form.'
    : 'There is no form for the params of this method.';
}
