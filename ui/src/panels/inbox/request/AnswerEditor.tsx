import type { InputItem } from '../../../contract/generated';
import { checkAnswer } from '../../../model/inbox/inputAnswer';
import { JsonEditor } from '../../../widgets/code/JsonEditor';

interface AnswerEditorProps {
  item: InputItem;
  text: string;
  onText: (text: string) => void;
}

/** The whole answer as JSON. */
export function AnswerEditor({ item, text, onText }: AnswerEditorProps) {
  return (
    <JsonEditor
      value={text}
      onChange={onText}
      label="Answer as JSON"
      check={(next) => {
        const found = checkAnswer(item, next);
        return found.type === 'broken' ? found : null;
      }}
    />
  );
}
