import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ScriptedHost } from '../../host/scripted';
import { createModel } from '../workspace/context';
import { Background, type Message, type Port } from './background';
import type { Task } from './tasks';

/** A worker that answers when the test says so. */
class FakePort implements Port {
  readonly sent: Task[] = [];
  readonly #listeners = new Map<string, (event: never) => void>();
  terminated = false;

  postMessage(task: unknown): void {
    this.sent.push(task as Task);
  }
  addEventListener(type: string, listener: (event: never) => void): void {
    this.#listeners.set(type, listener);
  }
  terminate(): void {
    this.terminated = true;
  }
  say(message: Message): void {
    this.#listeners.get('message')?.({ data: message } as never);
  }
  fail(message: string): void {
    this.#listeners.get('error')?.({ message } as never);
  }
}

const markdown = (text: string): Task => ({ type: 'markdown', text });
const done = (): Message => ({ type: 'done', value: { blocks: [] } });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('Background', () => {
  function setup() {
    const ports: FakePort[] = [];
    const background = new Background(() => {
      const port = new FakePort();
      ports.push(port);
      return port;
    });
    return { ports, background };
  }

  it('runs one task at a time, in order, in one worker', async () => {
    const { ports, background } = setup();
    const [first, second] = [background.run(markdown('a'), 100), background.run(markdown('b'), 100)];
    expect(ports[0]?.sent).toEqual([]);
    ports[0]?.say({ type: 'ready' });
    expect(ports[0]?.sent).toEqual([markdown('a')]);
    ports[0]?.say(done());
    await expect(first).resolves.toEqual(done());
    expect(ports[0]?.sent).toEqual([markdown('a'), markdown('b')]);
    ports[0]?.say(done());
    await expect(second).resolves.toEqual(done());
    expect(ports).toHaveLength(1);
  });

  it('stops a task that takes too long, with its worker, and goes on with the next', async () => {
    const { ports, background } = setup();
    const [slow, next] = [background.run(markdown('a'), 100), background.run(markdown('b'), 100)];
    // The time to load the program is not the time of the task.
    vi.advanceTimersByTime(5_000);
    ports[0]?.say({ type: 'ready' });
    vi.advanceTimersByTime(99);
    expect(ports[0]?.terminated).toBe(false);
    vi.advanceTimersByTime(1);
    await expect(slow).resolves.toEqual({ type: 'tooExpensive' });
    expect(ports[0]?.terminated).toBe(true);
    ports[1]?.say({ type: 'ready' });
    // A late word of the stopped worker is not the answer.
    ports[0]?.say({ type: 'failed', reason: 'late' });
    ports[1]?.say(done());
    await expect(next).resolves.toEqual(done());
  });

  it('does not begin a task that nobody waits for any more', async () => {
    const { ports, background } = setup();
    const gone = new AbortController();
    const first = background.run(markdown('a'), 100);
    void background.run(markdown('b'), 100, gone.signal);
    const third = background.run(markdown('c'), 100);
    gone.abort();
    ports[0]?.say({ type: 'ready' });
    ports[0]?.say(done());
    await first;
    expect(ports[0]?.sent).toEqual([markdown('a'), markdown('c')]);
    ports[0]?.say(done());
    await third;
  });

  it('says why a worker cannot be started, or has failed', async () => {
    const refusing = new Background(() => {
      throw new Error('refused');
    });
    await expect(refusing.run(markdown('a'), 100)).resolves.toEqual({ type: 'failed', reason: 'refused' });
    const { ports, background } = setup();
    const running = background.run(markdown('a'), 100);
    ports[0]?.fail('out of memory');
    await expect(running).resolves.toEqual({ type: 'failed', reason: 'out of memory' });
    const silent = background.run(markdown('b'), 100);
    vi.advanceTimersByTime(30_000);
    await expect(silent).resolves.toMatchObject({ type: 'failed' });
  });
});

it('a request of a server is read while the text of another one is', async () => {
  const ports: FakePort[] = [];
  vi.stubGlobal(
    'Worker',
    class extends FakePort {
      constructor() {
        super();
        ports.push(this);
      }
    },
  );
  try {
    const model = createModel(new ScriptedHost({ server_list: () => ({ items: [] }) }));
    void model.indentInBackground('{}');
    void model.requestReader.look('{}', new AbortController().signal);
    for (const port of ports) port.say({ type: 'ready' });
    expect(ports.map(({ sent }) => sent.map(({ type }) => type))).toEqual([['indent'], ['findings']]);
  } finally {
    vi.unstubAllGlobals();
  }
});
