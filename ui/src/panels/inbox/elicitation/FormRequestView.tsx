import { useMemo } from 'react';
import { contentOf, withContent } from '../../../model/inbox/elicitation/elicitation';
import { messageOf } from '../../../model/inbox/elicitation/formRequest';
import { useFindings } from '../../../model/inbox/elicitation/useFindings';
import { type JsonObject, writeJson } from '../../../model/text/json';
import { Segments } from '../../../widgets/controls/Segments';
import { ServerMessage } from '../../../widgets/text/ServerMessage';
import classes from '../InputDialog.module.css';
import type { AnswerProps } from '../request/answerProps';
import { AnswerEditor } from '../request/AnswerEditor';
import { RequestJson } from '../request/RequestJson';
import { AnswerForm } from './AnswerForm';
import { EarlierAnswers } from './EarlierAnswers';
import { FormWarnings } from './FormWarnings';

/** An elicitation with a form: the message, warnings, and the answer as fields or as JSON, in step. */
export function FormRequestView(props: AnswerProps & { params: JsonObject }) {
  const { item, params, text, onText, check, mode, onMode, form, waits } = props;
  const message = messageOf(params);
  const findings = useFindings(item.paramsJson, params);
  const content = useMemo(() => contentOf(text), [text]);
  // A form can edit only the content of an answer that accepts.
  const shownForm = form?.type === 'form' && content !== null ? form : null;
  const isForm = shownForm !== null && mode === 'form';
  const problems = check.type === 'object' ? check.problems : [];
  return (
    <>
      <div className={`${classes.summary} pb-selectable`}>
        <ServerMessage text={message} />
        <FormWarnings findings={findings} form={form} />
      </div>
      <h3 className={classes.heading}>
        Answer
        <span className="pb-grow" />
        {waits && content !== null && (
          <EarlierAnswers
            serverId={item.serverId}
            serverName={item.serverName}
            params={params}
            content={content}
            onContent={(next) => onText(withContent(text, writeJson({ ...content, ...next })))}
          />
        )}
        <Segments
          label="Edit answer as"
          value={isForm ? 'form' : 'json'}
          onChange={onMode}
          segments={[
            { value: 'form', label: 'Form', disabled: shownForm === null },
            { value: 'json', label: 'JSON' },
          ]}
        />
      </h3>
      <div className={classes.answer} data-answer>
        {isForm ? (
          <AnswerForm form={shownForm} text={text} problems={problems} onText={onText} />
        ) : (
          <AnswerEditor item={item} text={text} onText={onText} />
        )}
      </div>
      <RequestJson paramsJson={item.paramsJson} />
    </>
  );
}
