import type { HttpItem } from '../../../contract/generated/contract';
import { dialectWord, getStreamWords } from '../../../model/connection/httpWords';
import { Fact, Facts } from './Facts';
import classes from './info.module.css';

/** How the server is reached over HTTP. */
export function HttpFacts({ http, isLegacy }: { http: HttpItem; isLegacy: boolean }) {
  return (
    <section className={classes.section} aria-label="HTTP">
      <div className={classes.head}>
        <h3 className={classes.heading}>HTTP</h3>
      </div>
      <Facts>
        <Fact name="Address">
          <code>{http.url}</code>
        </Fact>
        <Fact name="Transport">{dialectWord(http.dialect)}</Fact>
        <Fact name="Version">{http.httpVersion ?? 'no answer yet'}</Fact>
        {isLegacy && http.dialect !== 'httpSse' && (
          <>
            <Fact name="Session">
              {http.sessionId === null ? 'none: the server gave no id' : <code>{http.sessionId}</code>}
            </Fact>
            <Fact name="GET stream">{getStreamWords(http.getStream)}</Fact>
          </>
        )}
      </Facts>
    </section>
  );
}
