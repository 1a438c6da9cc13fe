import { describe, expect, it } from 'vitest';
import { secretHint } from './secretFields';

describe('secretHint', () => {
  it.each([
    ['password'],
    ['api_key'],
    ['apiKey'],
    ['github-token'],
    ['userPassword'],
    ['pin'],
    ['accessToken'],
    ['client_secret'],
    ['contraseña'],
    ['mot_de_passe'],
    ['Kennwort'],
    ['пароль'],
    ['密码'],
    ['パスワード'],
    ['비밀번호'],
  ])('finds %s by its name', (name) => {
    expect(secretHint(name, { type: 'string' })).toMatchObject({ where: 'name' });
  });

  it('looks at title, description and format too', () => {
    expect(secretHint('value', { title: 'Your API key' })).toEqual({ where: 'title', word: 'API key' });
    expect(secretHint('x', { description: 'The one-time password you got by SMS' })).toMatchObject({
      where: 'description',
    });
    expect(secretHint('x', { description: 'Ihr Passwort' })).toMatchObject({ word: 'Passwort' });
    expect(
      secretHint('x', { description: 'Any number (do not give us your phone number, pin, or password)' }),
    ).toBeNull();
    expect(secretHint('x', { format: 'password' })).toEqual({ where: 'format', word: 'password' });
  });

  it.each([
    ['maxTokens'],
    ['token_count'],
    ['key'],
    ['primaryKey'],
    ['secretary'],
    ['pinned'],
    ['shopping'],
    ['keyboard'],
    ['name'],
    ['mail'],
    ['__proto__'],
  ])('leaves %s alone', (name) => {
    expect(secretHint(name, { type: 'string', title: 'A value', description: 'Some value.' })).toBeNull();
  });

  it('takes any schema', () => {
    for (const schema of [undefined, null, true, 7, [], { title: 7, description: {} }] as never[]) {
      expect(secretHint('name', schema)).toBeNull();
    }
  });
});
