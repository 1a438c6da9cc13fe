import type { InputItem } from '../../../contract/generated';
import type { CheckedAnswer } from '../../../model/inbox/useAnswerCheck';

/** What the parts of a request share: the answer as text, and what is wrong with it. */
export interface AnswerProps {
  item: InputItem;
  /** The answer as JSON text. */
  text: string;
  onText: (text: string) => void;
  check: CheckedAnswer;
  /** Whether the request can still be answered. */
  waits: boolean;
  /** Sends the answer as it is. */
  onSend: () => void;
}
