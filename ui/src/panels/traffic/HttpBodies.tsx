import type { HttpExchangeItem, TrafficRow } from '../../contract/generated';
import { formatSize } from '../../model/text/format';
import { CodeText, CodeView } from '../../widgets/code/CodeView';
import classes from './HttpExchange.module.css';

interface HttpBodiesProps {
  http: HttpExchangeItem;
  /** The records related to the exchange, such as the messages it carried. */
  related: readonly TrafficRow[];
}

/** The bodies of an exchange that are not MCP messages; messages are separate records. */
export function HttpBodies({ http, related }: HttpBodiesProps) {
  const { requestBody, requestBodySize, requestSeq, body, status } = http;
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
          <div className={classes.code}>
            <CodeView body={body} form="pretty" height="fill" label="Response body" />
          </div>
        </>
      )}
    </div>
  );
}
