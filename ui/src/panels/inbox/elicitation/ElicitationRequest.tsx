import { useMemo } from 'react';
import { paramsOf } from '../../../model/inbox/request/params';
import type { AnswerProps } from '../request/answerProps';
import { FormRequestView } from './FormRequestView';
import { UrlRequestView } from './UrlRequestView';

/** An elicitation: a form to fill in, or a page to visit. */
export function ElicitationRequest(props: AnswerProps) {
  const { paramsJson } = props.item;
  const params = useMemo(() => paramsOf(paramsJson), [paramsJson]);
  return params['mode'] === 'url' ? (
    <UrlRequestView {...props} params={params} />
  ) : (
    <FormRequestView {...props} params={params} />
  );
}
