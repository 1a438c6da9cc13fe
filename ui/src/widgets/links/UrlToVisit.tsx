import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import type { UrlRequest } from '../../model/inbox/elicitation/urlRequest';
import { Fact, Facts } from '../facts/Facts';
import { ServerMessage } from '../text/ServerMessage';
import { ExternalLink } from './ExternalLink';
import classes from './UrlToVisit.module.css';

interface UrlToVisitProps {
  request: UrlRequest;
  /** Whether the server has said that it is done. */
  isComplete?: boolean;
  /** The URL is not a link: what is around it opens it. */
  isPlain?: boolean;
}

/** A page that a server asks the user to visit: message, host, the whole URL, and what is odd about it. */
export function UrlToVisit({ request, isComplete = false, isPlain = false }: UrlToVisitProps) {
  const { message, url, host, decoded, warnings, canOpen } = request;
  return (
    <div className={`${classes.request} pb-selectable`}>
      <ServerMessage text={message} />
      <Facts names="max-content">
        <Fact name="Host">
          <b>{host ?? 'none'}</b>
          {decoded !== null && <span> = {decoded.text}</span>}
        </Fact>
        <Fact name="URL" mono>
          {canOpen && !isPlain ? <ExternalLink url={url}>{url}</ExternalLink> : url}
        </Fact>
      </Facts>
      {warnings.map((warning) => (
        <p key={warning} className={classes.warning}>
          <IconAlertTriangle size={14} aria-hidden /> {warning}
        </p>
      ))}
      {isComplete && (
        <p className={classes.complete} role="status">
          <IconCircleCheck size={14} aria-hidden /> The server reports that this is complete.
        </p>
      )}
    </div>
  );
}
