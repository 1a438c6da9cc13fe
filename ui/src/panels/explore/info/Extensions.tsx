import { useMemo } from 'react';
import { extensionRows } from '../../../model/connection/handshake';
import { MAX_ROWS, Omitted } from './Omitted';
import classes from './info.module.css';

/** The extensions that either side declared; one is in use only if both did. */
export function Extensions({ server, client }: { server: string | null; client: string | null }) {
  const rows = useMemo(() => extensionRows(server, client), [server, client]);
  if (server === null && client === null) return null;
  return (
    <section className={classes.section} aria-label="Extensions">
      <h3 className={classes.heading}>Extensions</h3>
      {rows.length === 0 ? (
        <p className={classes.dim}>Neither side declares an extension.</p>
      ) : (
        <table className={`${classes.table} pb-selectable`}>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Server</th>
              <th scope="col">Patchbay</th>
              <th scope="col">Agreed</th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, MAX_ROWS).map((row) => (
              <tr key={row.name}>
                <th scope="row">{row.name}</th>
                <td>{yesOrNo(row.server)}</td>
                <td>{yesOrNo(row.client)}</td>
                <td>{yesOrNo(row.server && row.client)}</td>
              </tr>
            ))}
          </tbody>
          <Omitted rows={rows.length} />
        </table>
      )}
    </section>
  );
}

function yesOrNo(is: boolean) {
  return is ? 'yes' : <span className={classes.dim}>no</span>;
}
