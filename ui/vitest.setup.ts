import type { Message } from './src/model/background/background';
import type { Task } from './src/model/background/tasks';

// Workers run in the thread of the test. What they do is stopped by them, not by time: tests of that have a port of their own.
if (!('Worker' in globalThis)) {
  class WorkerInThread extends EventTarget {
    constructor() {
      super();
      queueMicrotask(() => this.#say({ type: 'ready' }));
    }
    postMessage(task: Task): void {
      const copy = structuredClone(task);
      // Loaded by the tests that have work for it.
      void import('./src/model/background/tasks').then(({ runTask }) => this.#say(runTask(copy)));
    }
    terminate(): void {}
    #say(message: Message): void {
      this.dispatchEvent(new MessageEvent('message', { data: structuredClone(message) }));
    }
  }
  Object.defineProperty(globalThis, 'Worker', { value: WorkerInThread });
}
