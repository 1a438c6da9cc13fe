import { Button } from '@mantine/core';
import { useMemo } from 'react';
import type { Seq, ServerId } from '../../../contract/generated';
import { type UrlRequest } from '../../../model/inbox/elicitation/urlRequest';
import { useCompleted } from '../../../model/inbox/elicitation/useCompleted';
import { formatCount } from '../../../model/text/format';
import { UrlToVisit } from '../../../widgets/links/UrlToVisit';
import classes from './result.module.css';

interface RequiredUrlsProps {
  serverId: ServerId;
  requests: UrlRequest[];
  /** The record of the request that was answered with the error. */
  requestSeq: Seq | null;
  /** Sends the request again. */
  onAgain: () => void;
}

/** The pages that an error -32042 asks the user to visit before the request is sent again. */
export function RequiredUrls({ serverId, requests, requestSeq, onAgain }: RequiredUrlsProps) {
  const ids = useMemo(() => requests.map(({ elicitationId }) => elicitationId), [requests]);
  const hasIds = ids.some((id) => id !== null);
  const completed = useCompleted(serverId, hasIds ? requestSeq : null);
  const done = ids.filter((id) => id !== null && completed.has(id)).length;
  return (
    <section className={classes.urls} aria-label="Pages to visit">
      <ol>
        {requests.map((request, at) => (
          // Requests have no identity but their place.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={at}>
            <UrlToVisit
              request={request}
              isComplete={request.elicitationId !== null && completed.has(request.elicitationId)}
            />
          </li>
        ))}
      </ol>
      <div className={classes.urlsFoot}>
        <span>
          {done === requests.length
            ? 'All are complete.'
            : `Visit ${requests.length === 1 ? 'the page' : `the ${formatCount(requests.length)} pages`}, then send the request again.`}
        </span>
        <Button variant={done === requests.length ? 'filled' : 'default'} onClick={onAgain}>
          Send again
        </Button>
      </div>
    </section>
  );
}
