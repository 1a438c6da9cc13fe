import { describe, expect, it } from 'vitest';
import type { ServerDraft } from '../../contract/generated';
import {
  automaticInWords,
  commandLine,
  isCommandLine,
  draftOf,
  editedDraft,
  emptyForm,
  formOf,
  hasProblems,
  problemsOf,
  trustInWords,
} from './serverForm';

const good = { ...emptyForm(), name: 'time', command: 'uvx' };

describe('serverForm', () => {
  it('makes of a draft the form it came from', () => {
    const draft = draftOf({ ...good, args: ['mcp-server-time', ''], cwd: ' /tmp ', requestSeconds: '1.5' });
    expect(draft.timeouts).toEqual({ requestMs: 1500, maxTotalMs: 600_000, resetOnProgress: true });
    expect(draft.transport).toMatchObject({ args: ['mcp-server-time', ''], cwd: '/tmp' });
    expect(draftOf(formOf(draft))).toEqual(draft);
  });

  it('keeps what changed elsewhere while it was edited, also in the transport', () => {
    const http = (acceptedFingerprint: string | null, url: string) => ({
      ...draftOf({ ...good, transport: 'http', groups: ['Old'] }),
      transport: { ...draftOf({ ...good, transport: 'http' }).transport, url, acceptedFingerprint },
    });
    const opened = http(null, 'https://a.example') as ServerDraft;
    const now = { ...http('f'.repeat(64), 'https://a.example'), disabled: true } as ServerDraft;
    const initial = formOf(opened);
    expect(editedDraft(now, initial, initial)).toEqual(now);
    const edited = editedDraft(now, initial, {
      ...initial,
      groups: [],
      http: { ...initial.http, url: 'https://a.example/mcp' },
    });
    expect(edited).toMatchObject({
      disabled: true,
      transport: { url: 'https://a.example/mcp', acceptedFingerprint: 'f'.repeat(64) },
    });
    expect(edited.groups).toBeUndefined();
    expect(editedDraft(now, initial, { ...initial, transport: 'stdio' }).transport.type).toBe('stdio');
  });

  it('counts the wait for the user against the timeout only if that is set', () => {
    expect(draftOf(good).timeouts.countInputWait).toBeUndefined();
    const draft = draftOf({ ...good, countInputWait: true });
    expect(draft.timeouts.countInputWait).toBe(true);
    expect(formOf(draft).countInputWait).toBe(true);
  });

  it('says what is trusted and what happens by itself only if that is set', () => {
    const plain = draftOf(good);
    expect([plain.trustAnnotations, plain.automatic]).toEqual([undefined, undefined]);
    const automatic = { connect: false, reconnect: true };
    const draft = draftOf({ ...good, trustAnnotations: true, automatic });
    expect(draft).toMatchObject({ trustAnnotations: true, automatic });
    expect(draftOf(formOf(draft))).toEqual(draft);
    expect(trustInWords(formOf(draft))).toBe('annotations trusted');
    expect(automaticInWords(draft.automatic)).toBe('when lost');
  });

  it('says whether a program gets the whole environment, and never for a URL', () => {
    expect(draftOf(good).inheritEnvironment).toBeUndefined();
    const draft = draftOf({ ...good, inheritEnvironment: true });
    expect(draft.inheritEnvironment).toBe(true);
    expect(formOf(draft).inheritEnvironment).toBe(true);
    expect(
      draftOf({ ...good, inheritEnvironment: true, transport: 'http' }).inheritEnvironment,
    ).toBeUndefined();
  });

  it('leaves out empty rows of the environment and an empty folder', () => {
    const { transport } = draftOf({
      ...good,
      env: [
        { name: '', value: '' },
        { name: 'A', value: '' },
      ],
    });
    expect(transport).toMatchObject({ env: [{ name: 'A', value: '' }], cwd: null });
  });

  it('finds nothing wrong with a good form', () => {
    expect(hasProblems(problemsOf(good, ['other']))).toBe(false);
  });

  it.each([
    [{ name: ' ' }, 'name'],
    [{ name: 'other' }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ command: ' ' }, 'command'],
    [{ requestSeconds: '0' }, 'requestSeconds'],
    [{ requestSeconds: '' }, 'requestSeconds'],
    [{ requestSeconds: 'soon' }, 'requestSeconds'],
    [{ requestSeconds: '700' }, 'maxTotalSeconds'],
    [{ maxTotalSeconds: '9e9' }, 'maxTotalSeconds'],
  ] as const)('finds what is wrong with %j', (part, field) => {
    const problems = problemsOf({ ...good, ...part }, ['other']);
    expect(problems[field]).toBeTypeOf('string');
    expect(hasProblems(problems)).toBe(true);
  });

  it('finds variables without a name, with an equals sign, or set twice', () => {
    const env = [
      { name: 'A', value: '1' },
      { name: '', value: '2' },
      { name: 'B=C', value: '3' },
      { name: 'A', value: '4' },
      { name: '', value: '' },
    ];
    expect(Object.keys(problemsOf({ ...good, env }, []).env)).toEqual(['1', '2', '3']);
  });

  it('quotes what a shell would take apart', () => {
    expect(commandLine('npx', ['-y', 'a b', '', "it's"])).toBe(`npx -y 'a b' '' 'it'\\''s'`);
    expect(commandLine('', [])).toBe('');
  });
});

describe('a command', () => {
  it('is a whole command line when words follow that are no part of a path', () => {
    for (const line of ['npx -y server', 'uvx mcp-server-time', './run.sh --port 3000', '/usr/bin/node -e 1'])
      expect(isCommandLine(line), line).toBe(true);
    for (const path of ['npx', ' node ', '/opt/My App/server', 'C:\\Program Files\\node.exe', ''])
      expect(isCommandLine(path), path).toBe(false);
  });
});
