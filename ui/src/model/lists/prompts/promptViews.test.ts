import { expect, it } from 'vitest';
import type { ServerId } from '../../../contract/generated';
import { createPromptViews } from './promptViews';

const A = 'a' as ServerId;
const B = 'b' as ServerId;

it('keeps what is typed by server and prompt, and omits what is cleared', () => {
  const views = createPromptViews();
  views.setValue(A, 'p', 'x', 'one');
  views.setValue(A, 'p', 'y', '');
  views.setValue(B, 'p', 'x', 'other');
  views.change(A, { query: 'q', selection: { name: 'p', index: 3 } });
  views.setValue(A, 'p', 'x', undefined);
  const of = (server: ServerId) => views.getState()[server]!;
  expect([...of(A).drafts.get('p')!.values]).toEqual([['y', '']]);
  expect([...of(B).drafts.get('p')!.values]).toEqual([['x', 'other']]);
  expect(of(A)).toMatchObject({ query: 'q', selection: { name: 'p', index: 3 } });
});
