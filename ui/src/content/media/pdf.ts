import type { PDFDocumentProxy } from 'pdfjs-dist';
import { formatCount } from '../../model/text/format';

/** The most pixels of an image within a PDF; larger ones are left out. */
const MOST_IMAGE_PIXELS = 64_000_000;

/** The most pixels of a page that is drawn. */
const MOST_PIXELS = 16_000_000;

/** How long a PDF may take to be read, and a page to be drawn, in seconds. */
const LOAD_SECONDS = 30;
const DRAW_SECONDS = 30;
/**
 * The most drawing operations of a page. All of them are kept in the memory of the window, and a PDF of a few kB can repeat
 * its parts without end.
 */
const MOST_OPERATIONS = 500_000;
/** How long a worker may take to end by itself, in ms. */
const END_MS = 500;

/** A page that is being drawn. */
export interface Drawing {
  done: Promise<void>;
  cancel: () => void;
}

export interface LoadedPdf {
  /** Rejects if it is not a PDF, or needs a password. */
  document: Promise<PDFDocumentProxy>;
  /** Draws one page, as wide as said in px. */
  draw: (page: number, width: number, canvas: HTMLCanvasElement) => Drawing;
  /** Ends the worker. */
  end: () => void;
}

/**
 * Parses a PDF in a worker of its own. It is foreign content: its scripts and forms are not run, nothing is fetched, and
 * what would need WebAssembly is left out, which the page's policy does not allow. `onStopped` learns, in a sentence, why a
 * PDF that takes too much is not shown; its worker is stopped, and what was begun stays pending.
 */
export async function loadPdf(bytes: ArrayBuffer, onStopped: (why: string) => void): Promise<LoadedPdf> {
  // The build for older engines: WebKitGTK lags behind.
  const { PDFWorker, getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const address = new URL('pdfjs-dist/legacy/build/pdf.worker.min.mjs', import.meta.url);
  const port = new Worker(address, { type: 'module' });
  const worker = PDFWorker.create({ port });
  const task = getDocument({
    // A copy: the worker takes it over.
    data: bytes.slice(0),
    worker,
    enableXfa: false,
    useWasm: false,
    useWorkerFetch: false,
    disableAutoFetch: true,
    disableStream: true,
    maxImageSize: MOST_IMAGE_PIXELS,
    verbosity: 0,
  });
  const stop = (why: string): void => {
    port.terminate();
    // Frees what was kept of its pages.
    task.destroy().catch(() => undefined);
    onStopped(why);
  };
  const timer = setTimeout(
    () => stop(`PDF not shown: reading it takes longer than ${LOAD_SECONDS} seconds.`),
    LOAD_SECONDS * 1000,
  );
  const isRead = (): void => clearTimeout(timer);
  task.promise.then(isRead, isRead);
  return {
    document: task.promise,
    draw: limitedDrawing(port, task.promise, stop),
    end: () => {
      isRead();
      // A worker that is busy would not hear that it ends.
      const end = (): void => {
        worker.destroy();
        port.terminate();
      };
      const patience = setTimeout(end, END_MS);
      void task
        .destroy()
        .catch(() => undefined)
        .then(() => {
          clearTimeout(patience);
          end();
        });
    },
  };
}

/** Draws pages as long as they are not too expensive. */
function limitedDrawing(
  port: Worker,
  document: Promise<PDFDocumentProxy>,
  stop: (why: string) => void,
): LoadedPdf['draw'] {
  let current = 0;
  /** By what they belong to: those of a page that is no longer drawn may still arrive. */
  const operations = new Map<unknown, number>();
  port.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const count = operationsIn(data);
    if (count === 0) return;
    const source = sourceOf(data);
    const sum = (operations.get(source) ?? 0) + count;
    operations.set(source, sum);
    if (sum > MOST_OPERATIONS)
      stop(
        `PDF not shown: page ${current} has more than ${formatCount(MOST_OPERATIONS, 'drawing operation')}.`,
      );
  });
  return (page, width, canvas) => {
    if (page !== current) {
      const left = current;
      // Frees the operations of the page that was shown before: only those of one page are counted.
      if (left > 0)
        document
          .then((pdf) => pdf.getPage(left))
          .then(
            (proxy) => proxy.cleanup(),
            () => undefined,
          );
      current = page;
      operations.clear();
    }
    const { done, cancel } = drawPage(document, page, width, canvas);
    const endTimer = whileVisible(DRAW_SECONDS, () =>
      stop(`PDF not shown: drawing page ${page} takes longer than ${DRAW_SECONDS} seconds.`),
    );
    done.then(endTimer, endTimer);
    return {
      done,
      cancel: () => {
        endTimer();
        cancel();
      },
    };
  };
}

/** Calls `onOver` after so many seconds in which the window was visible: nothing is drawn in a hidden one. Returns how to end it. */
function whileVisible(seconds: number, onOver: () => void): () => void {
  let left = seconds;
  const timer = setInterval(() => {
    if (window.document.hidden) return;
    left -= 1;
    if (left > 0) return;
    clearInterval(timer);
    onOver();
  }, 1000);
  return () => clearInterval(timer);
}

/** What a message of the worker belongs to: the stream of a page, or what all messages without one have in common. */
function sourceOf(message: unknown): unknown {
  return typeof message === 'object' && message !== null && 'streamId' in message ? message.streamId : null;
}

/** The drawing operations in a message of the worker, with those in patterns and glyphs, which it sends as lists of their own. */
function operationsIn(message: unknown): number {
  const waiting: unknown[] = [message];
  let count = 0;
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) continue;
    if ('fnArray' in value && Array.isArray(value.fnArray)) count += value.fnArray.length;
    for (const member of Object.values(value)) if (typeof member === 'object') waiting.push(member);
  }
  return count;
}

/** Draws one page, as wide as said in px. */
function drawPage(
  document: Promise<PDFDocumentProxy>,
  page: number,
  width: number,
  canvas: HTMLCanvasElement,
): Drawing {
  let isCancelled = false;
  let end = (): void => undefined;
  const draw = async (): Promise<void> => {
    const proxy = await (await document).getPage(page);
    if (isCancelled) return;
    const whole = proxy.getViewport({ scale: 1 });
    const density = window.devicePixelRatio;
    const most = Math.sqrt(MOST_PIXELS / Math.max(1, whole.width * whole.height));
    const viewport = proxy.getViewport({ scale: Math.min((width * density) / whole.width, most) });
    canvas.width = Math.max(1, Math.floor(viewport.width));
    canvas.height = Math.max(1, Math.floor(viewport.height));
    canvas.style.width = `${viewport.width / density}px`;
    const task = proxy.render({ canvas, viewport });
    end = () => task.cancel();
    await task.promise;
  };
  return {
    done: draw(),
    cancel: () => {
      isCancelled = true;
      end();
    },
  };
}
