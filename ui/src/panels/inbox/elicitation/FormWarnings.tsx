import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { FormFindings } from '../../../model/inbox/elicitation/formRequest';
import type { Findings } from '../../../model/inbox/elicitation/useFindings';
import type { FormSchema } from '../../../model/form/schema';
import classes from '../InputDialog.module.css';

interface FormWarningsProps {
  findings: Findings;
  form: FormSchema | null;
}

const NONE: FormFindings = { secrets: [], secretInMessage: null, nested: [] };

/** What the user should know before they fill in a form of a server. */
export function FormWarnings({ findings, form }: FormWarningsProps) {
  const { secrets, secretInMessage, nested } = typeof findings === 'string' ? NONE : findings;
  return (
    <>
      {findings === 'reading' && <Warning icon="info">Checking for fields that request secrets…</Warning>}
      {findings === 'unknown' && (
        <Warning>
          The form is too complex to check every field for secrets. Servers must not request passwords, keys
          or tokens in a form.
        </Warning>
      )}
      {secrets.map(({ name, hint }) => (
        <Warning key={name}>
          <code>{name}</code> looks like a secret (“{hint.word}” in its {hint.where}). Servers must not
          request passwords, keys or tokens in a form.
        </Warning>
      ))}
      {secrets.length === 0 && secretInMessage !== null && (
        <Warning>
          The message mentions “{secretInMessage}”. Servers must not request passwords, keys or tokens in a
          form.
        </Warning>
      )}
      {nested.length > 0 && (
        <Warning icon="info">
          The specification allows only strings, numbers, booleans and enums. Fields of other types:{' '}
          {nested.join(', ')}.
        </Warning>
      )}
      {form === null && (
        <Warning icon="info">The request has no schema: write the content of the answer as JSON.</Warning>
      )}
      {form?.type === 'jsonOnly' && <Warning icon="info">{form.reason}</Warning>}
    </>
  );
}

function Warning({ icon = 'warning', children }: { icon?: 'warning' | 'info'; children: ReactNode }) {
  const Glyph = icon === 'info' ? IconInfoCircle : IconAlertTriangle;
  return (
    <p className={classes.warning} data-tone={icon} role="note">
      <Glyph size={14} aria-hidden />
      <span>{children}</span>
    </p>
  );
}
