import { expect, it } from 'vitest';
import { initialUiState } from '../../workspace/uiState';
import { cannedProblem, withCanned } from './cannedAnswers';

it('keeps two texts that begin alike, and each once', () => {
  const start = 'a'.repeat(60);
  let state = withCanned(initialUiState, `${start} one`);
  state = withCanned(state, `${start} two`);
  expect(Object.values(state.cannedAnswers)).toEqual([`${start} one`, `${start} two`]);
  expect(withCanned(state, `${start} one`)).toBe(state);
});

it('says why a text cannot be saved', () => {
  let state = initialUiState;
  for (let at = 0; at < 50; at += 1) state = withCanned(state, `text ${at}`);
  expect(cannedProblem(state, 'text 7')).toBeNull();
  expect(cannedProblem(state, 'another')).toBe('50 answers are saved. Delete one first.');
  expect(withCanned(state, 'another')).toBe(state);
  expect(cannedProblem(initialUiState, 'x'.repeat(20_001))).toBe('It is too long to be saved.');
});
