import { Button } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { CommandError } from '../../../contract/generated';
import { urlRequestOf } from '../../../model/inbox/elicitation/urlRequest';
import { useCompleted } from '../../../model/inbox/elicitation/useCompleted';
import { commandError } from '../../../model/store/errors';
import type { JsonObject } from '../../../model/text/json';
import { useHost, useModel } from '../../../model/workspace/context';
import { CommandAlert } from '../../../widgets/failure/CommandAlert';
import { UrlToVisit } from '../../../widgets/links/UrlToVisit';
import classes from '../InputDialog.module.css';
import type { AnswerProps } from '../request/answerProps';
import { AnswerEditor } from '../request/AnswerEditor';
import { RequestJson } from '../request/RequestJson';

/**
 * An elicitation in URL mode. The page is opened by the user's click only; the answer says that the user agreed to visit it, and
 * is sent when they are done.
 */
export function UrlRequestView({ item, params, text, onText, waits }: AnswerProps & { params: JsonObject }) {
  const host = useHost();
  const { inputs } = useModel();
  const request = useMemo(() => urlRequestOf(params), [params]);
  const completed = useCompleted(item.serverId, request.elicitationId === null ? null : item.seq);
  const isComplete = request.elicitationId !== null && completed.has(request.elicitationId);
  const isOpened = useStore(inputs, ({ visited }) => visited.has(item.id));
  const [error, setError] = useState<CommandError | null>(null);
  const open = (): void => {
    setError(null);
    host
      .call('link_open', { url: request.url })
      .then(() => inputs.visit(item.id))
      .catch((thrown: unknown) => setError(commandError(thrown)));
  };
  return (
    <>
      <div className={classes.page}>
        <UrlToVisit request={request} isComplete={isComplete} isPlain />
        {waits && request.canOpen && (
          <div className={classes.pageTools}>
            <Button
              data-answer-action
              variant={isOpened ? 'default' : 'filled'}
              leftSection={<IconExternalLink size={14} />}
              onClick={open}
            >
              {isOpened ? 'Open again' : 'Open in browser'}
            </Button>
            {isOpened && !isComplete && (
              <span role="status">Opened in your browser. When you have finished there, choose “Done”.</span>
            )}
          </div>
        )}
        {!request.canOpen && (
          <p className={classes.message}>This URL cannot be opened. Decline or cancel the request.</p>
        )}
        {error !== null && <CommandAlert error={error} onClose={() => setError(null)} />}
      </div>
      <details className={classes.more}>
        <summary>Answer as JSON</summary>
        <div className={classes.moreBody} data-answer>
          <AnswerEditor item={item} text={text} onText={onText} />
        </div>
      </details>
      <RequestJson paramsJson={item.paramsJson} />
    </>
  );
}
