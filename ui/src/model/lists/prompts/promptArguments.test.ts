import { expect, it } from 'vitest';
import { contextFor, fieldsOf, missingArguments, readArguments, writeArguments } from './promptArguments';
import { anArgument } from './prompts.fixture';

const DECLARED = [anArgument('code', true), anArgument('language'), anArgument('7')];

it('sends only what is given, in the declared order, and an empty text as one', () => {
  expect(writeArguments(DECLARED, new Map())).toBeNull();
  const values = new Map([
    ['other', 'x'],
    ['7', ''],
    ['code', 'a\n"b"'],
  ]);
  expect(writeArguments(DECLARED, values)).toBe('{"code":"a\\n\\"b\\"","7":"","other":"x"}');
});

it('takes any name for an argument', () => {
  const names = ['__proto__', 'constructor', '<b>x</b>', 'a "b"\n'];
  const values = new Map(names.map((name) => [name, `of ${name}`]));
  const declared = names.map((name) => anArgument(name, true));
  const json = writeArguments(declared, values);
  expect([...readArguments(json)]).toEqual([...values]);
  expect(missingArguments(declared, new Map())).toHaveLength(names.length);
  expect(missingArguments(declared, values)).toEqual([]);
});

it('reads nothing from text that is not an object of texts', () => {
  for (const json of [null, '', '[]', '{', '{"a":1,"b":null}']) expect(readArguments(json).size).toBe(0);
});

it('has one field per name, and none without', () => {
  const twice = [anArgument('a', true), anArgument(''), anArgument('a')];
  expect(fieldsOf(twice)).toEqual([anArgument('a', true)]);
});

it('counts an empty text as given', () => {
  expect(missingArguments(DECLARED, new Map([['code', '']]))).toEqual([]);
  expect(missingArguments(DECLARED, new Map())).toEqual([
    { pointer: '/code', message: 'is required', missing: true },
  ]);
});

it('gives the texts of the other arguments as context of a completion', () => {
  const values = new Map([
    ['language', 'rust'],
    ['framework', 'a'],
    ['code', ''],
  ]);
  expect(contextFor('framework', values)).toEqual([{ name: 'language', value: 'rust' }]);
});
