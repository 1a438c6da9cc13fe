import type { InputItem } from '../../../contract/generated';
import type { FormSchema } from '../../../model/form/schema';
import type { CheckedAnswer } from '../../../model/inbox/useAnswerCheck';

/** What the parts of a request share: the answer as text, and what is wrong with it. */
export interface AnswerProps {
  item: InputItem;
  /** The answer as JSON text. */
  text: string;
  onText: (text: string) => void;
  /** Receives the text with what was found out about it, without an edit: an answer that waits to be sent becomes this one. */
  onFound: (text: string) => void;
  /** Tells whether something that is shown is still being looked up: until then no answer is sent. */
  onPending: (isPending: boolean) => void;
  check: CheckedAnswer;
  /** Whether the answer is shown as fields or as JSON, as the user chose. */
  mode: 'form' | 'json';
  onMode: (mode: 'form' | 'json') => void;
  /** The fields that an elicitation requests. */
  form: FormSchema | null;
  /** Whether the request can still be answered. */
  waits: boolean;
  /** Sends the answer as it is. */
  onSend: () => void;
}
