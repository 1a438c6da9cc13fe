import { type RefObject, useEffect, useState } from 'react';
import { type LoadedPdf, loadPdf } from './pdf';

export type Pdf =
  | { state: 'loading' }
  | { state: 'ready'; pages: number; draw: LoadedPdf['draw'] }
  /** In a sentence. */
  | { state: 'failed'; message: string };

/** A PDF that is parsed in a worker. */
export function usePdf(bytes: ArrayBuffer): Pdf {
  const [loaded, setLoaded] = useState<{ bytes: ArrayBuffer; pdf: Pdf } | null>(null);
  useEffect(() => {
    let isWanted = true;
    const note = (pdf: Pdf): void => {
      if (isWanted) setLoaded({ bytes, pdf });
    };
    const loading = loadPdf(bytes, (message) => {
      note({ state: 'failed', message });
      isWanted = false;
    });
    loading
      .then(async ({ document, draw }) => note({ state: 'ready', pages: (await document).numPages, draw }))
      .catch((thrown: unknown) => note({ state: 'failed', message: why(thrown) }));
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
  draw: LoadedPdf['draw'] | null,
  page: number,
  width: number,
): string | null {
  const [failed, setFailed] = useState<{ page: number; message: string } | null>(null);
  useEffect(() => {
    const element = canvas.current;
    if (draw === null || element === null || width < 1) return undefined;
    const { done, cancel } = draw(page, width, element);
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
  }, [canvas, draw, page, width]);
  return failed?.page === page ? failed.message.slice(0, 200) : null;
}
