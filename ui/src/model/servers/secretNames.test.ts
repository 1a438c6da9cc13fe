import { expect, it } from 'vitest';
import cases from '../../../../tests/fixtures/secret-names.json';
import { isSecretName } from './secretNames';

it.each(cases.settings.secret)('takes %s for the name of a secret', (name) => {
  expect(isSecretName(name)).toBe(true);
});

it.each(cases.settings.plain)('does not take %j for the name of a secret', (name) => {
  expect(isSecretName(name)).toBe(false);
});
