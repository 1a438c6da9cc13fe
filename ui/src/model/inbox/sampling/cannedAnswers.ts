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

/** Saves a text under its first words; the same state if it cannot be saved. */
export function withCanned(state: UiState, text: string): UiState {
  const name = text.trim().replaceAll(/\s+/g, ' ').slice(0, 60);
  const isFull = Object.keys(state.cannedAnswers).length >= MOST && !Object.hasOwn(state.cannedAnswers, name);
  if (name === '' || isFull || text.length > MOST_LENGTH) return state;
  return { ...state, cannedAnswers: { ...state.cannedAnswers, [name]: text } };
}

export function withoutCanned(state: UiState, name: string): UiState {
  const { [name]: _, ...cannedAnswers } = state.cannedAnswers;
  return { ...state, cannedAnswers };
}
