import { describe, expect, it } from 'vitest';
import type { AuthorizationDraft } from '../../contract/generated';
import {
  type AuthorizationForm,
  authorizationDraftOf,
  authorizationFormOf,
  authorizationInWords,
  authorizationProblemsOf,
  emptyAuthorizationForm,
} from './authorizationForm';

const form = (part: Partial<AuthorizationForm>): AuthorizationForm => ({
  ...emptyAuthorizationForm(),
  ...part,
});

describe('the authorization form', () => {
  it.each<[string, AuthorizationDraft]>([
    ['off', { mode: 'off' }],
    [
      'a client',
      { mode: 'auto', clientId: 'me', clientSecret: '${vault:x}', scopes: 'a b', redirectPort: 4343 },
    ],
    [
      'client credentials',
      {
        mode: 'clientCredentials',
        clientId: 'me',
        privateKey: 'PEM',
        clientAuth: 'privateKeyJwt',
        signing: 'ES256',
      },
    ],
    [
      'enterprise',
      {
        mode: 'enterprise',
        metadataUrl: 'https://me.example/client.json',
        enterprise: {
          issuer: 'https://idp.example',
          tokenEndpoint: 'https://idp.example/token',
          clientId: 'me',
          clientSecret: 's',
          idToken: 't',
        },
      },
    ],
    ['a bound token', { mode: 'auto', dpop: 'always' }],
    ['a workload', { mode: 'workload', assertion: { from: 'command', value: "az 'get token'" } }],
  ])('keeps all of %s', (_, draft) => {
    expect(authorizationDraftOf(authorizationFormOf(draft))).toEqual(draft);
  });

  it('is empty where nothing is set', () => {
    expect(authorizationDraftOf(emptyAuthorizationForm())).toBeUndefined();
    expect(authorizationFormOf(undefined)).toEqual(emptyAuthorizationForm());
    expect(authorizationFormOf({ mode: 'auto' })).toEqual(emptyAuthorizationForm());
  });

  it('is not refused for a field that its mode does not draw, which is left out', () => {
    const wrong = { metadataUrl: 'x', redirectPort: '70000', idpIssuer: 'y', idpTokenEndpoint: 'z' };
    const off = form({ ...wrong, mode: 'clientCredentials', clientId: 'me', clientSecret: 's' });
    expect(authorizationProblemsOf(off)).toEqual({});
    expect(authorizationDraftOf(off)).toEqual({
      mode: 'clientCredentials',
      clientId: 'me',
      clientSecret: 's',
    });
    expect(Object.keys(authorizationProblemsOf(form(wrong)))).toEqual(['metadataUrl', 'redirectPort']);
    const enterprise = authorizationProblemsOf(form({ ...wrong, mode: 'enterprise' }));
    expect(enterprise).toMatchObject({ idpIssuer: 'Must begin with https://.' });
    expect(enterprise.redirectPort).toBeUndefined();
  });

  it('writes scopes apart by single spaces', () => {
    expect(authorizationDraftOf(form({ scopes: ' a,  b a ' }))).toEqual({ mode: 'auto', scopes: 'a b' });
  });

  it.each<[string, Partial<AuthorizationForm>, (keyof AuthorizationForm)[]]>([
    ['nothing', {}, []],
    ['a secret without an id', { clientSecret: 's' }, ['clientId']],
    ['client credentials without anything', { mode: 'clientCredentials' }, ['clientId', 'clientSecret']],
    ['a client with a key', { mode: 'clientCredentials', clientId: 'me', privateKey: 'PEM' }, []],
    [
      'a signature without a key',
      { mode: 'clientCredentials', clientId: 'me', clientSecret: 's', clientAuth: 'privateKeyJwt' },
      ['privateKey'],
    ],
    [
      'a secret to be sent that is not there',
      { mode: 'clientCredentials', clientId: 'me', privateKey: 'PEM', clientAuth: 'basic' },
      ['clientSecret'],
    ],
    ['enterprise without anything', { mode: 'enterprise' }, ['idpClientId', 'idpIssuer', 'idToken']],
    ['a workload without anything', { mode: 'workload' }, ['assertion']],
    ['a workload', { mode: 'workload', assertion: '/run/token' }, []],
    ['a path that is not whole', { mode: 'workload', assertion: 'token' }, ['assertion']],
    ['no variable', { mode: 'workload', assertionFrom: 'variable', assertion: 'A=B' }, ['assertion']],
    ['an address in the clear', { metadataUrl: 'http://me.example/client.json' }, ['metadataUrl']],
    ['an address on this machine', { metadataUrl: 'http://127.0.0.1:9/client.json' }, []],
    ['no address', { metadataUrl: 'client.json' }, ['metadataUrl']],
    ['a port beyond', { redirectPort: '70000' }, ['redirectPort']],
    ['a port that is not a number', { redirectPort: 'x' }, ['redirectPort']],
    ['anything while it is off', { mode: 'off', redirectPort: 'x', clientSecret: 's' }, []],
  ])('checks %s', (_, part, fields) => {
    expect(Object.keys(authorizationProblemsOf(form(part))).toSorted()).toEqual(fields.toSorted());
  });

  it('says what is set, without a secret', () => {
    const words = authorizationInWords(
      form({ mode: 'clientCredentials', clientId: 'me', clientSecret: 'xyz', scopes: 'a b' }),
    );
    expect(words).toBe('client credentials, client me, scopes a b');
    expect(authorizationInWords(form({ mode: 'off', clientId: 'me' }))).toBe('off');
    expect(authorizationInWords(form({}))).toBe('');
  });
});
