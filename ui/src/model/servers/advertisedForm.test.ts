import { describe, expect, it } from 'vitest';
import {
  advertisedDraftOf,
  advertisedFormOf,
  advertisedInWords,
  advertisedProblemsOf,
  emptyAdvertisedForm,
} from './advertisedForm';

describe('the advertised capabilities', () => {
  it('are stored only if they differ from the default', () => {
    expect(advertisedDraftOf(emptyAdvertisedForm())).toBeUndefined();
    expect(advertisedInWords(emptyAdvertisedForm())).toBe('');
    const draft = advertisedDraftOf({ ...emptyAdvertisedForm(), tasks: false });
    expect(draft).toMatchObject({ tasks: false, sampling: true, experimentalJson: null, revision: null });
  });

  it('keep JSON text and any revision as typed', () => {
    const form = {
      ...emptyAdvertisedForm(),
      samplingTools: false,
      experimental: '{"price": 1.10}',
      revision: 'other',
      otherRevision: '2099-01-01',
      anyRevision: true,
    };
    const draft = advertisedDraftOf(form);
    expect(draft).toMatchObject({
      experimentalJson: '{"price": 1.10}',
      revision: '2099-01-01',
      anyRevision: true,
    });
    expect(advertisedFormOf(draft)).toEqual(form);
    expect(advertisedInWords(form)).toBe('without sampling.tools · experimental · 2099-01-01 · any revision');
    expect(advertisedFormOf({ ...draft!, revision: '2025-06-18' })).toMatchObject({
      revision: '2025-06-18',
      otherRevision: '',
    });
  });

  it('must be JSON objects, and the text to offer must not be empty', () => {
    const form = { ...emptyAdvertisedForm(), experimental: '[1]', extensions: '{', revision: 'other' };
    const problems = advertisedProblemsOf(form);
    expect(problems.experimental).toBe('Enter a JSON object.');
    expect(problems.extensions).toMatch(/^Not JSON: /);
    expect(problems.otherRevision).toBe('Enter a revision.');
    expect(advertisedProblemsOf(emptyAdvertisedForm())).toEqual({});
  });
});
