import { describe, expect, it } from 'vitest';
import { readArguments } from './arguments';

describe('readArguments', () => {
  it('tells an object, text that only can be sent, and what cannot be sent apart', () => {
    expect(readArguments('{"a":1}').type).toBe('object');
    expect(readArguments('{"a":1,"a":2}').type).toBe('textOnly');
    expect(readArguments('[1]')).toMatchObject({ type: 'broken', reason: 'Arguments must be a JSON object' });
    expect(readArguments('').type).toBe('broken');
  });

  it('says where broken JSON is broken', () => {
    expect(readArguments('{"a": x}')).toMatchObject({ type: 'broken', position: 6 });
    expect(readArguments('{"a": 1')).toMatchObject({ type: 'broken', position: 7 });
  });
});
