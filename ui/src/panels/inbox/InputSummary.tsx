import { IconAlertTriangle } from '@tabler/icons-react';
import { useMemo } from 'react';
import type { InputItem } from '../../contract/generated';
import { formatCount } from '../../model/text/format';
import { type AskedField, type InputSummary as Summary, summaryOf } from '../../model/inbox/inputRequest';
import { ExternalLink } from '../../widgets/links/ExternalLink';
import classes from './InputDialog.module.css';

/** What is asked, in words. The JSON below has all of it. */
export function InputSummary({ item }: { item: InputItem }) {
  const summary = useMemo(() => summaryOf(item), [item]);
  return (
    <section className={`${classes.summary} pb-selectable`} aria-label="What is asked">
      <Content summary={summary} />
    </section>
  );
}

function Content({ summary }: { summary: Summary }) {
  switch (summary.type) {
    case 'form':
      return <Form {...summary} />;
    case 'url':
      return <Url {...summary} />;
    case 'sampling':
      return <Sampling {...summary} />;
    case 'roots':
      return (
        <p className={classes.message}>
          Which folders may it work in? It is told only what you name in the answer.
        </p>
      );
  }
}

function Form({ message, fields, more }: Extract<Summary, { type: 'form' }>) {
  return (
    <>
      <p className={classes.message}>{message === '' ? 'It gives no message.' : message}</p>
      {fields.length > 0 && (
        <table className={classes.fields}>
          <tbody>
            {fields.map((field) => (
              <Field key={field.name} field={field} />
            ))}
          </tbody>
        </table>
      )}
      {more > 0 && <p className={classes.dim}>and {formatCount(more, 'more field', 'more fields')}</p>}
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
            <IconAlertTriangle size={13} aria-hidden /> Looks like a secret: servers must not ask for one this
            way.
          </span>
        )}
      </td>
    </tr>
  );
}

function Url({ message, url, host, isSuspicious }: Extract<Summary, { type: 'url' }>) {
  return (
    <>
      <p className={classes.message}>{message}</p>
      <dl className={classes.facts}>
        <dt>Host</dt>
        <dd>
          <b>{host ?? 'not an address'}</b>
        </dd>
        <dt>Address</dt>
        <dd className="pb-mono">
          {/^https?:/i.test(url) ? <ExternalLink url={url}>{url}</ExternalLink> : url}
        </dd>
      </dl>
      {isSuspicious && (
        <span className={classes.warning}>
          <IconAlertTriangle size={13} aria-hidden /> Read the address letter by letter: it may look like
          another one.
        </span>
      )}
    </>
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
      {earlier > 0 && <p className={classes.dim}>{formatCount(earlier, 'earlier message')} not shown here</p>}
      {messages.map(({ role, text }, i) => (
        // Messages have no identity but their place.
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
