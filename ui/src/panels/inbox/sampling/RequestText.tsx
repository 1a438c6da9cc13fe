import { isShort } from '../../../model/inbox/request/requestReader';
import { CodeText } from '../../../widgets/code/CodeView';
import { Waiting } from '../../../widgets/status/Waiting';
import { useIndented } from '../../../widgets/code/IndentedJson';
import { JsonEditor } from '../../../widgets/code/JsonEditor';

interface RequestTextProps {
  text: string;
  /** Receives the edited request; undefined if it cannot be edited. */
  onText: ((text: string) => void) | undefined;
}

/** A request as JSON. What was typed stays as it is; a long request on one line is indented in the background. */
export function RequestText({ text, onText }: RequestTextProps) {
  const isReady = isShort(text) || text.startsWith('{\n');
  const indented = useIndented(isReady ? '' : text);
  const shown = isReady ? text : indented;
  if (shown === null) return <Waiting text="Indenting…" />;
  return onText === undefined ? (
    <CodeText text={shown} language="json" height="fill" label="Request" />
  ) : (
    <JsonEditor value={shown} onChange={onText} label="Request" />
  );
}
