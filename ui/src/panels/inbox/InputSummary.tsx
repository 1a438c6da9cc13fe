import { IconAlertTriangle } from '@tabler/icons-react';
import { useMemo } from 'react';
import type { InputItem } from '../../contract/generated';
import { formatCount } from '../../model/text/format';
import { type AskedField, type InputSummary as Summary, summaryOf } from '../../model/inbox/inputRequest';
import { UrlToVisit } from '../../widgets/links/UrlToVisit';
import classes from './InputDialog.module.css';

interface InputSummaryProps {
  item: InputItem;
  /** The fields are shown as a form: only warnings about them are repeated. */
  hasForm: boolean;
}

/** The request in words. The JSON has all of it. */
export function InputSummary({ item, hasForm }: InputSummaryProps) {
  const summary = useMemo(() => summaryOf(item), [item]);
  return (
    <section className={`${classes.summary} pb-selectable`} aria-label="Summary">
      <Content summary={summary} hasForm={hasForm} />
    </section>
  );
}

function Content({ summary, hasForm }: { summary: Summary; hasForm: boolean }) {
  switch (summary.type) {
    case 'form':
      return <Form {...summary} hasForm={hasForm} />;
    case 'url':
      return <UrlToVisit request={summary.request} />;
    case 'sampling':
      return <Sampling {...summary} />;
    case 'roots':
      return (
        <p className={classes.message}>
          The folders the server may work in. It learns only those you name in the answer.
        </p>
      );
  }
}

function Form({
  message,
  fields: all,
  more,
  hasForm,
}: Extract<Summary, { type: 'form' }> & { hasForm: boolean }) {
  const fields = hasForm ? all.filter(({ looksSecret }) => looksSecret) : all;
  return (
    <>
      <p className={classes.message}>{message === '' ? 'No message.' : message}</p>
      {fields.length > 0 && (
        <table className={classes.fields}>
          <tbody>
            {fields.map((field) => (
              <Field key={field.name} field={field} />
            ))}
          </tbody>
        </table>
      )}
      {more > 0 && !hasForm && (
        <p className={classes.dim}>and {formatCount(more, 'more field', 'more fields')}</p>
      )}
    </>
  );
}

function Field({ field }: { field: AskedField }) {
  const { name, title, type, required, description, looksSecret } = field;
  return (
    <tr>
      <th scope="row">
        <code>{name}</code>
      </th>
      <td>
        {type}
        {required && ', required'}
      </td>
      <td>
        {title !== null && title !== name && <b>{title}</b>} {description}
        {looksSecret && (
          <span className={classes.warning}>
            <IconAlertTriangle size={13} aria-hidden /> Looks like a secret, which servers must not request
            this way.
          </span>
        )}
      </td>
    </tr>
  );
}

function Sampling({ system, messages, earlier, facts }: Extract<Summary, { type: 'sampling' }>) {
  return (
    <>
      {facts.length > 0 && (
        <dl className={classes.facts}>
          {facts.map(({ name, value }) => (
            <div key={name} className={classes.fact}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {system !== null && <Message from="system" text={system} />}
      {earlier > 0 && <p className={classes.dim}>{formatCount(earlier, 'earlier message')} not shown</p>}
      {messages.map(({ role, text }, i) => (
        // Messages have no identity other than their position.
        // oxlint-disable-next-line react/no-array-index-key
        <Message key={i} from={role} text={text} />
      ))}
    </>
  );
}

function Message({ from, text }: { from: string; text: string }) {
  return (
    <div className={classes.turn}>
      <span className={classes.role}>{from}</span>
      <span className={classes.text}>{text}</span>
    </div>
  );
}
