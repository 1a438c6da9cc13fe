import { useMemo } from 'react';
import { SchemaForm } from '../../../forms/SchemaForm';
import type { FormSchema } from '../../../model/form/schema';
import type { Problem } from '../../../model/form/check/validate';
import { contentOf, withContent } from '../../../model/inbox/elicitation/elicitation';
import { ErrorBoundary } from '../../../widgets/failure/ErrorBoundary';
import classes from '../InputDialog.module.css';

interface AnswerFormProps {
  form: Extract<FormSchema, { type: 'form' }>;
  /** The whole answer as JSON text; the form edits its `content`. */
  text: string;
  /** Problems of the answer. */
  problems: readonly Problem[];
  onText: (text: string) => void;
}

/** The fields an elicitation requests. */
export function AnswerForm({ form, text, problems, onText }: AnswerFormProps) {
  const content = useMemo(() => contentOf(text), [text]);
  const inForm = useMemo(
    () =>
      problems.flatMap((each) =>
        each.pointer.startsWith('/content/')
          ? [{ ...each, pointer: each.pointer.slice('/content'.length) }]
          : [],
      ),
    [problems],
  );
  if (content === null) return null;
  return (
    <ErrorBoundary resetKey="" fallback={formFailed}>
      <div className={classes.form}>
        <SchemaForm
          schema={form.schema}
          value={content}
          problems={inForm}
          onText={(next) => onText(withContent(text, next))}
        />
      </div>
    </ErrorBoundary>
  );
}

const formFailed = () => (
  <p className={classes.gone} role="alert">
    No form can be shown for this schema. Switch to JSON to edit the answer.
  </p>
);
