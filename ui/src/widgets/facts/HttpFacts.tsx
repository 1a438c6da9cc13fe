import type { HttpItem } from '../../contract/generated';
import { dialectWord, getStreamWords } from '../../model/connection/httpWords';
import { DeprecatedNote } from '../links/DeprecatedNote';
import { Fact, Facts } from './Facts';

/** How a server is reached over HTTP. */
export function HttpFacts({ http, names }: { http: HttpItem; names?: number }) {
  // Only Streamable HTTP of the legacy era has sessions and a GET stream.
  const hasSession = http.sessionId !== null || http.getStream !== 'none';
  return (
    <Facts names={names}>
      <Fact name="URL" mono>
        {http.url}
      </Fact>
      <Fact name="Transport">
        {dialectWord(http.dialect)}
        {http.dialect === 'httpSse' && <DeprecatedNote feature="httpSse" isInline />}
      </Fact>
      <Fact name="Version">{http.httpVersion}</Fact>
      {hasSession && (
        <>
          <Fact name="Session" mono={http.sessionId !== null}>
            {http.sessionId ?? 'None: the server issued no ID'}
          </Fact>
          <Fact name="GET stream">{getStreamWords(http.getStream)}</Fact>
        </>
      )}
    </Facts>
  );
}
