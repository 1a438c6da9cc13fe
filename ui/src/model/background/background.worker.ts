import type { Message, Port } from './background';
import { type Task, runTask } from './tasks';

/** The program of the worker: runs what it is sent, one task after the other. */
const port = globalThis as unknown as Pick<Port, 'postMessage' | 'addEventListener'>;
const say = (message: Message): void => port.postMessage(message);
port.addEventListener('message', ({ data }) => say(runTask(data as Task)));
say({ type: 'ready' });
