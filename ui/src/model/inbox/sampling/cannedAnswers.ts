import { firstFree } from '../../store/firstFree';
import type { UiState } from '../../workspace/uiState';
import type { Conversation } from './conversation';

/** Texts that answer a sampling request with one click, for those who play the model. */
export interface CannedText {
  name: string;
  text: string;
  /** The user saved it, and can delete it. */
  isOwn: boolean;
}

/** More are not saved. */
const MOST = 50;
/** Longer texts are not saved, in characters. */
const MOST_LENGTH = 20_000;

/** The texts to choose from: those of the user, then a few that every server can be tried with. */
export function cannedTexts(
  { cannedAnswers }: Pick<UiState, 'cannedAnswers'>,
  { turns }: Conversation,
): CannedText[] {
  const last = turns.findLast(({ role }) => role === 'user')?.blocks.find(({ type }) => type === 'text');
  const echo = last?.type === 'text' ? last.text : '';
  return [
    ...Object.entries(cannedAnswers).map(([name, text]) => ({ name, text, isOwn: true })),
    { name: 'OK', text: 'OK.', isOwn: false },
    { name: 'Refusal', text: 'I cannot help with that.', isOwn: false },
    ...(echo === '' ? [] : [{ name: 'Echo of the last message', text: echo, isOwn: false }]),
    { name: 'Empty JSON object', text: '{}', isOwn: false },
  ];
}

/** Why a text cannot be saved; null if it can, or is saved already. */
export function cannedProblem(
  { cannedAnswers }: Pick<UiState, 'cannedAnswers'>,
  text: string,
): string | null {
  if (text.length > MOST_LENGTH) return 'It is too long to be saved.';
  const isKnown = Object.values(cannedAnswers).includes(text);
  if (isKnown || Object.keys(cannedAnswers).length < MOST) return null;
  return `${MOST} answers are saved. Delete one first.`;
}

/** Saves a text under its first words, with a number if another text has that name; the same state if it cannot be saved. */
export function withCanned(state: UiState, text: string): UiState {
  const { cannedAnswers } = state;
  const first = text.trim().replaceAll(/\s+/g, ' ').slice(0, 60);
  const isKnown = Object.values(cannedAnswers).includes(text);
  if (first === '' || isKnown || cannedProblem(state, text) !== null) return state;
  const name = firstFree(
    first,
    (number) => `${first} (${number})`,
    (each) => Object.hasOwn(cannedAnswers, each),
  );
  return { ...state, cannedAnswers: { ...cannedAnswers, [name]: text } };
}

export function withoutCanned(state: UiState, name: string): UiState {
  const { [name]: _, ...cannedAnswers } = state.cannedAnswers;
  return { ...state, cannedAnswers };
}
