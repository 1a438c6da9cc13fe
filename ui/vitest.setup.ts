import { afterAll, vi } from 'vitest';
import type { Message } from './src/model/background/background';
import type { Task } from './src/model/background/tasks';

// Workers run in the thread of the test. What they do is stopped by them, not by time: tests of that have a port of their own.
if (!('Worker' in globalThis)) {
  class WorkerInThread extends EventTarget {
    // Loaded by the tests that have work for it. As of a worker, its loading is not part of the time of its first task.
    readonly #tasks = import('./src/model/background/tasks');
    constructor() {
      super();
      void this.#tasks.then(() => this.#say({ type: 'ready' }));
    }
    postMessage(task: Task): void {
      const copy = structuredClone(task);
      void this.#tasks.then(({ runTask }) => this.#say(runTask(copy)));
    }
    terminate(): void {}
    #say(message: Message): void {
      this.dispatchEvent(new MessageEvent('message', { data: structuredClone(message) }));
    }
  }
  // A test may have another one.
  Object.defineProperty(globalThis, 'Worker', { value: WorkerInThread, configurable: true });
}

// The files of a worker share their modules: one that is still being loaded when its file ends would fail in the files after it.
afterAll(() => vi.dynamicImportSettled(), 60_000);
