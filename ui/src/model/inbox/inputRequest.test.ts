import { describe, expect, it } from 'vitest';
import { summaryOf } from './inputRequest';

const summary = (kind: 'elicitation' | 'sampling', params: object) =>
  summaryOf({ kind, paramsJson: JSON.stringify(params) });

describe('summaryOf', () => {
  it('lists the fields of a form and points at those that look like secrets', () => {
    expect(
      summary('elicitation', {
        message: 'Sign in',
        requestedSchema: {
          properties: {
            mail: { type: 'string', format: 'email', description: 'Yours' },
            api_key: { type: 'string' },
            plan: { enum: ['a', 'b'] },
          },
          required: ['mail'],
        },
      }),
    ).toMatchObject({
      type: 'form',
      message: 'Sign in',
      fields: [
        { name: 'mail', type: 'string, email', required: true, description: 'Yours', looksSecret: false },
        { name: 'api_key', looksSecret: true },
        { name: 'plan', type: 'one of 2', required: false },
      ],
    });
  });

  it.each([
    ['https://github.com/login', 'github.com', false],
    ['https://xn--gthub-n4a.com/login', 'xn--gthub-n4a.com', true],
    ['https://gíthub.com/', 'xn--gthub-zsa.com', true],
    ['https://github.com@evil.example/', 'evil.example', true],
    ['github', null, true],
  ])('shows the host of %s', (url, host, isSuspicious) => {
    expect(summary('elicitation', { mode: 'url', url })).toMatchObject({
      type: 'url',
      request: { host, warnings: isSuspicious ? [expect.any(String)] : [] },
    });
  });

  it('shows the newest messages of a sampling request and what it wants of the model', () => {
    const messages = Array.from({ length: 9 }, (_, i) => ({
      role: 'user',
      content: { type: 'text', text: `message ${i}` },
    }));
    messages.push({ role: 'user', content: { type: 'image', text: '' } });
    const found = summary('sampling', {
      messages,
      systemPrompt: 'Be brief.',
      maxTokens: 100,
      modelPreferences: { hints: [{ name: 'claude' }], speedPriority: 0.5 },
      tools: [{ name: 'add' }],
      toolChoice: { mode: 'required' },
      stopSequences: ['END', '\n'],
      metadata: { user: 1 },
    });
    expect(found).toMatchObject({ type: 'sampling', system: 'Be brief.', earlier: 4 });
    if (found.type !== 'sampling') throw new Error('not a sampling request');
    expect(found.messages.map(({ text }) => text)).toEqual([
      'message 4',
      'message 5',
      'message 6',
      'message 7',
      'message 8',
      '[image]',
    ]);
    expect(found.facts).toEqual([
      { name: 'Max tokens', value: '100' },
      { name: 'Model', value: 'claude, speed 0.5' },
      { name: 'Stop at', value: '"END", "\\n"' },
      { name: 'Tools', value: 'add' },
      { name: 'Tool choice', value: 'required' },
      { name: 'Metadata', value: '{"user":1}' },
    ]);
  });

  it('stays small however much was sent', () => {
    const found = summary('sampling', {
      messages: [{ role: 'user', content: { type: 'text', text: 'x'.repeat(100_000) } }],
    });
    expect(JSON.stringify(found).length).toBeLessThan(2000);
  });
});
