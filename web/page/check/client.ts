import { nextPaint } from '../../figure/index.ts';
import type { Opened } from '../../files/open.ts';
import type { Tasks } from './worker.ts';
import address from './worker.ts?worker&url';

/** Whether the work is done by the page. */
export let standsStill = false;

let worker: Worker | undefined;
let target: Promise<Worker | Window> | undefined;
/** What ends each call that has no answer yet. */
const waiting = new Set<(reason: Error) => void>();

/** Ends the worker and all calls. The next call starts another. */
function stop(reason: string) {
  worker?.terminate();
  if (worker) worker = target = undefined;
  for (const reject of waiting) reject(new Error(reason));
  waiting.clear();
}

/** Starts the worker, or where none can be made, as in a sandboxed frame, loads its module here. */
export function startWorker() {
  target ??= new Promise<Worker | Window>((resolve, reject) => {
    const loadHere = () => {
      worker = undefined;
      import(/* @vite-ignore */ address).then(
        () => {
          standsStill = true;
          resolve(window);
        },
        () => {
          target = undefined;
          reject(new Error('The code that compares tables could not be loaded. Reload the page to try again.'));
        },
      );
    };
    try {
      const started = new Worker(address, { type: 'module' });
      worker = started;
      started.onerror = loadHere;
      started.onmessage = () => {
        started.onerror = (event) => {
          // Check shows it.
          event.preventDefault();
          stop(`The comparison broke off: ${event.message}`);
        };
        resolve(started);
      };
    } catch {
      loadHere();
    }
  });
  return target;
}

type CheckAnswer<Task extends keyof Tasks> = Awaited<ReturnType<Tasks[Task]>>;

/** Runs a task there. Rejects with its refusal. */
export async function callWorker<Task extends keyof Tasks>(
  task: Task,
  ...input: Parameters<Tasks[Task]>
): Promise<CheckAnswer<Task>> {
  const to = await startWorker();
  // The page says first what it reads.
  if (to === window) await nextPaint();
  return new Promise<CheckAnswer<Task>>((resolve, reject) => {
    const { port1, port2 } = new MessageChannel();
    waiting.add(reject);
    port1.onmessage = ({ data: { result, problem } }) => {
      port1.close();
      waiting.delete(reject);
      if (problem === undefined) resolve(result);
      else reject(new Error(problem));
    };
    to.postMessage([task, input], { transfer: [port2] });
  });
}

/** Drops what is under way, since something newer is asked. */
export const dropCalls = () => waiting.size > 0 && stop('Dropped.');

let readerNames = 0;

export async function openThere(file: File): Promise<Opened> {
  const key = ++readerNames;
  const { names, shapes } = await callWorker('open', file, key);
  const shapesByName = new Map(names.map((name, k) => [name, shapes[k]]));
  return {
    names,
    shape: (name) => shapesByName.get(name) as number[],
    read: (name, rows) => callWorker('read', file, key, name, rows),
  };
}
