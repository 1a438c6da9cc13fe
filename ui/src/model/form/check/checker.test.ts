import { describe, expect, it } from 'vitest';
import type { Background, Outcome } from '../../background/background';
import { type Task, runTask } from '../../background/tasks';
import { createChecker } from './checker';

/** Runs tasks at once; `slow` schemas are stopped. */
function scripted(slow: (schemaJson: string) => boolean) {
  const limits: number[] = [];
  const background = {
    run: (task: Task, limitMs: number): Promise<Outcome<Task>> => {
      limits.push(limitMs);
      return Promise.resolve(
        task.type === 'check' && slow(task.schemaJson) ? { type: 'tooExpensive' } : runTask(task),
      );
    },
  };
  return { checker: createChecker(background as Background), limits };
}

const value = (schemaJson: string, valueJson: string) => ({ schemaJson, valueJson });

describe('createChecker', () => {
  it('remembers the results of the latest values', async () => {
    const { checker, limits } = scripted(() => false);
    const of = value('{"required":["a"]}', '{}');
    expect(checker.known(of)).toBeUndefined();
    const found = await checker.check(of);
    expect(found).toMatchObject({ type: 'checked', problems: [{ pointer: '/a' }] });
    expect(checker.known({ ...of })).toBe(found);
    await checker.check({ ...of });
    expect(limits).toHaveLength(1);
  });

  it('does not try a schema again whose check was stopped, unless asked to take longer', async () => {
    const { checker, limits } = scripted(() => true);
    expect(await checker.check(value('{"a":1}', '{}'))).toEqual({ type: 'tooExpensive' });
    expect(await checker.check(value('{"a":1}', '{"b":1}'))).toEqual({ type: 'tooExpensive' });
    expect(limits).toEqual([3_000]);
    await checker.check(value('{"a":1}', '{"b":1}'), undefined, true);
    expect(limits).toEqual([3_000, 30_000]);
  });

  it('does not even try values of many megabytes', async () => {
    const { checker, limits } = scripted(() => false);
    const found = await checker.check(value(`{"description":"${'x'.repeat(9_000_000)}"}`, '{}'));
    expect([found, limits]).toEqual([{ type: 'tooExpensive' }, []]);
  });
});
