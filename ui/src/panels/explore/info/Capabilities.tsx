import { useMemo, useState } from 'react';
import type { Era } from '../../../contract/generated';
import { type CapabilityRow, readCapabilities } from '../../../model/connection/capabilities';
import { IndentedJson } from '../../../widgets/code/IndentedJson';
import { Segments } from '../../../widgets/controls/Segments';
import { MAX_ROWS, Omitted } from './Omitted';
import classes from './info.module.css';

interface CapabilitiesProps {
  /** As received; null if there was no handshake. */
  server: string | null;
  client: string | null;
  era: Era | null;
}

/** The capabilities both sides declared. */
export function Capabilities({ server, client, era }: CapabilitiesProps) {
  const [form, setForm] = useState<'table' | 'raw'>('table');
  if (server === null && client === null) return null;
  return (
    <section className={classes.section} aria-label="Capabilities">
      <div className={classes.head}>
        <h3 className={classes.heading}>Capabilities</h3>
        <Segments
          label="Show capabilities as"
          value={form}
          onChange={(value) => setForm(value)}
          segments={[
            { value: 'table', label: 'Table' },
            { value: 'raw', label: 'JSON' },
          ]}
        />
      </div>
      <div className={classes.sides}>
        <Side title="Server declared" json={server} form={form} />
        <Side
          title={era === 'modern' ? 'Patchbay declares with each request' : 'Patchbay declared'}
          json={client}
          form={form}
        />
      </div>
    </section>
  );
}

function Side({ title, json, form }: { title: string; json: string | null; form: 'table' | 'raw' }) {
  const rows = useMemo(() => (json === null ? null : readCapabilities(json)), [json]);
  return (
    <div className={classes.side}>
      <h4 className={classes.sideTitle}>{title}</h4>
      {json === null || rows === null ? (
        <p className={classes.dim}>{json === null ? 'Nothing yet' : 'Not an object; see JSON'}</p>
      ) : form === 'raw' ? (
        <IndentedJson text={json} label={title} numbered={false} />
      ) : (
        <Table rows={rows} />
      )}
    </div>
  );
}

function Table({ rows }: { rows: CapabilityRow[] }) {
  if (rows.length === 0) return <p className={classes.dim}>None</p>;
  return (
    <table className={`${classes.table} pb-selectable`}>
      <tbody>
        {rows.slice(0, MAX_ROWS).map(({ name, settings }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{settings === '' ? <span className={classes.dim}>yes</span> : settings}</td>
          </tr>
        ))}
      </tbody>
      <Omitted rows={rows.length} />
    </table>
  );
}
