import type { PDFDocumentProxy } from 'pdfjs-dist';

/** The most pixels of an image within a PDF; larger ones are left out. */
const MOST_IMAGE_PIXELS = 64_000_000;

/** The most pixels of a page that is drawn. */
const MOST_PIXELS = 16_000_000;

export interface LoadedPdf {
  /** Rejects if it is not a PDF, or needs a password. */
  document: Promise<PDFDocumentProxy>;
  /** Ends the worker. */
  end: () => Promise<void>;
}

/**
 * Parses a PDF in a worker of its own. It is foreign content: its scripts and forms are not run, nothing is fetched, and
 * what would need WebAssembly is left out, which the page's policy does not allow.
 */
export async function loadPdf(bytes: ArrayBuffer): Promise<LoadedPdf> {
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
  return {
    document: task.promise,
    end: async () => {
      await task.destroy();
      worker.destroy();
      port.terminate();
    },
  };
}

/** Draws one page, as wide as said in px. */
export function drawPage(
  document: PDFDocumentProxy,
  page: number,
  width: number,
  canvas: HTMLCanvasElement,
): { done: Promise<void>; cancel: () => void } {
  let isCancelled = false;
  let end = (): void => undefined;
  const draw = async (): Promise<void> => {
    const proxy = await document.getPage(page);
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
