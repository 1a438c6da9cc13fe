import { describe, expect, it } from 'vitest';
import { prepareSchema } from '../form/schema';
import { compileCheck } from '../form/check/validate';
import { type Json, parseJson } from '../text/json';
import { methodsOf, paramsTemplate } from './methods';
import { paramsSchemaOf } from './paramsSchema';

const WITHOUT_PARAMS = ['ping', 'server/discover'];

describe('the params of a method', () => {
  it('have a form unless the method takes none', () => {
    for (const method of methodsOf(null)) {
      const schema = paramsSchemaOf(method);
      if (WITHOUT_PARAMS.includes(method)) expect(schema).toBeNull();
      else expect(prepareSchema(schema).type, method).toBe('form');
    }
    expect(paramsSchemaOf('x/y')).toBeNull();
    expect(paramsSchemaOf('constructor')).toBeNull();
  });

  it('match the schema in what a draft begins with', () => {
    for (const method of methodsOf(null)) {
      const template = paramsTemplate(method);
      if (template === '') continue;
      const schema = parseJson(paramsSchemaOf(method) ?? '');
      const value = parseJson(template);
      if (!schema.ok || !value.ok) throw new Error(method);
      expect(compileCheck(schema.value)(value.value), method).toEqual({ type: 'checked', problems: [] });
    }
  });

  it('may refer to a prompt or to a resource template', () => {
    const schema = parseJson(paramsSchemaOf('completion/complete') ?? '');
    if (!schema.ok) throw new Error('not JSON');
    const check = compileCheck(schema.value);
    const argument = { name: 'a', value: '' };
    const refs: Json[] = [
      { type: 'ref/prompt', name: 'p' },
      { type: 'ref/resource', uri: 'a:{b}' },
      { type: 'ref/tool' },
    ];
    const counts = refs.map((ref) => {
      const found = check({ ref, argument });
      return found.type === 'checked' ? found.problems.length > 0 : null;
    });
    expect(counts).toEqual([false, false, true]);
  });
});
