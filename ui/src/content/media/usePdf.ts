import type { PDFDocumentProxy } from 'pdfjs-dist';
import { type RefObject, useEffect, useState } from 'react';
import { drawPage, loadPdf } from './pdf';

export type Pdf =
  | { state: 'loading' }
  | { state: 'ready'; document: PDFDocumentProxy }
  /** In a sentence. */
  | { state: 'failed'; message: string };

/** A PDF that is parsed in a worker. */
export function usePdf(bytes: ArrayBuffer): Pdf {
  const [loaded, setLoaded] = useState<{ bytes: ArrayBuffer; pdf: Pdf } | null>(null);
  useEffect(() => {
    let isWanted = true;
    const loading = loadPdf(bytes);
    loading
      .then(({ document }) => document)
      .then(
        (document) => isWanted && setLoaded({ bytes, pdf: { state: 'ready', document } }),
        (thrown: unknown) => isWanted && setLoaded({ bytes, pdf: { state: 'failed', message: why(thrown) } }),
      )
      .catch(() => undefined);
    return () => {
      isWanted = false;
      loading.then(({ end }) => end()).catch(() => undefined);
    };
  }, [bytes]);
  return loaded?.bytes === bytes ? loaded.pdf : { state: 'loading' };
}

function why(thrown: unknown): string {
  const name = thrown instanceof Error ? thrown.name : '';
  return name === 'PasswordException'
    ? 'The PDF is protected by a password. Save it to open it in another program.'
    : 'This is not a PDF that can be shown.';
}

/** Draws one page, as wide as said in px. Returns why it cannot be drawn, or null. */
export function usePdfPage(
  canvas: RefObject<HTMLCanvasElement | null>,
  document: PDFDocumentProxy | null,
  page: number,
  width: number,
): string | null {
  const [failed, setFailed] = useState<{ page: number; message: string } | null>(null);
  useEffect(() => {
    const element = canvas.current;
    if (document === null || element === null || width < 1) return undefined;
    const { done, cancel } = drawPage(document, page, width, element);
    let isWanted = true;
    const note = (message: string | null): void => {
      if (isWanted) setFailed(message === null ? null : { page, message });
    };
    done.then(
      () => note(null),
      (thrown: unknown) => note(thrown instanceof Error ? thrown.message : 'It is damaged.'),
    );
    return () => {
      isWanted = false;
      cancel();
    };
  }, [canvas, document, page, width]);
  return failed?.page === page ? failed.message.slice(0, 200) : null;
}
