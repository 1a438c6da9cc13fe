import { useState } from 'react';
import type { BodyId, HttpExchangeItem, TextBody, TrafficRow } from '../../contract/generated';
import { formatSize } from '../../model/text/format';
import { CodeText, CodeView } from '../../widgets/code/CodeView';
import { LinkButton } from '../../widgets/links/LinkButton';
import classes from './HttpExchange.module.css';
import { RecordBytes } from './RecordBytes';

interface HttpBodiesProps {
  http: HttpExchangeItem;
  /** The records related to the exchange, such as the messages it carried. */
  related: readonly TrafficRow[];
  /** Whether the body of the response is text. */
  isUtf8: boolean;
}

/** The bodies of an exchange that are not MCP messages; messages are separate records. */
export function HttpBodies({ http, related, isUtf8 }: HttpBodiesProps) {
  const { requestBody, requestBodySize, requestSeq, body, bodyBytes, status } = http;
  if (requestBody === null && body === null) {
    const hasMessages = requestSeq !== null || related.some(({ kind }) => kind !== 'http');
    return (
      <p className={classes.nothing}>
        {status === null
          ? 'No response.'
          : hasMessages
            ? 'The body contains MCP messages, which are separate records.'
            : 'No body.'}
      </p>
    );
  }
  return (
    <div className={classes.bodies}>
      {requestBody !== null && (
        <>
          <h4 className={classes.heading}>Request body</h4>
          {requestBodySize !== null && (
            <p className={classes.nothing}>
              Only the beginning of the body ({formatSize(requestBodySize)}) is recorded.
            </p>
          )}
          <div className={classes.code}>
            <CodeText text={requestBody} language="plain" height="fill" label="Request body" />
          </div>
        </>
      )}
      {body !== null && (
        <>
          {requestBody !== null && <h4 className={classes.heading}>Response body</h4>}
          <ResponseBody key={http.seq} body={body} bytes={bodyBytes} isUtf8={isUtf8} />
        </>
      )}
    </div>
  );
}

interface ResponseBodyProps {
  body: TextBody;
  /** The same, byte for byte. */
  bytes: BodyId | null;
  isUtf8: boolean;
}

/** The body of a response as text, or as bytes. */
function ResponseBody({ body, bytes, isUtf8 }: ResponseBodyProps) {
  const [isHex, setHex] = useState(false);
  return (
    <>
      {bytes !== null && (
        <p className={classes.nothing}>
          {!isUtf8 && !isHex && 'Not valid UTF-8: invalid bytes are shown as �. '}
          <LinkButton onClick={() => setHex(!isHex)}>{isHex ? 'Show as text' : 'Show the bytes'}</LinkButton>
        </p>
      )}
      <div className={classes.code}>
        {isHex && bytes !== null ? (
          <RecordBytes body={bytes} fileName="body.bin" />
        ) : (
          <CodeView body={body} form="pretty" height="fill" label="Response body" />
        )}
      </div>
    </>
  );
}
