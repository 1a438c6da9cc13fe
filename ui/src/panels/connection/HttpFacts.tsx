import type { HttpItem } from '../../contract/generated/contract';
import { dialectWord, getStreamWords } from '../../model/connection/httpWords';
import classes from './ConnectionPanel.module.css';

/** How a server was reached over HTTP. */
export function HttpFacts({ http }: { http: HttpItem }) {
  return (
    <>
      <h3 className={classes.section}>HTTP</h3>
      <dl className={`${classes.facts} pb-selectable`}>
        <dt>Address</dt>
        <dd className="pb-mono">{http.url}</dd>
        <dt>Transport</dt>
        <dd>{dialectWord(http.dialect)}</dd>
        {http.sessionId !== null && (
          <>
            <dt>Session</dt>
            <dd className="pb-mono">{http.sessionId}</dd>
          </>
        )}
        {http.getStream !== 'none' && (
          <>
            <dt>GET stream</dt>
            <dd>{getStreamWords(http.getStream)}</dd>
          </>
        )}
        {http.httpVersion !== null && (
          <>
            <dt>Version</dt>
            <dd>{http.httpVersion}</dd>
          </>
        )}
      </dl>
    </>
  );
}
