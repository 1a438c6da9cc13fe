import { expect, it } from 'vitest';
import { besideName, ownTitle } from './titles';

it('a title that repeats the name says nothing', () => {
  expect(ownTitle('get-sum', 'Get Sum Tool')).toBeNull();
  expect(ownTitle('simple_prompt', 'Simple Prompt')).toBeNull();
  expect(ownTitle('greet', 'Greet somebody')).toBe('Greet somebody');
  expect(ownTitle('wetter', 'Погода')).toBe('Погода');
  expect(ownTitle('a', null)).toBeNull();
});

it('beside a name is what it does not say', () => {
  const item = { name: 'get-sum', title: 'Get Sum', description: 'Adds.\nMore.' };
  expect(besideName(item)).toBe('Adds.');
  expect(besideName({ ...item, title: 'Sum of two numbers' })).toBe('Sum of two numbers');
  expect(besideName({ ...item, description: null })).toBe('');
});
