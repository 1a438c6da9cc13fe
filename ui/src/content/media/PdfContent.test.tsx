import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen } from '@testing-library/react';
// It has no types, and leaves what is used here in `globalThis`.
// oxlint-disable-next-line import/no-unassigned-import
import 'pdfjs-dist/legacy/build/pdf.worker.mjs';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { PdfContent } from './PdfContent';
import { loadPdf } from './pdf';

/** What the program of the worker is, where its module is loaded. */
const { pdfjsWorker } = globalThis as unknown as {
  pdfjsWorker: { WorkerMessageHandler: { initializeFromPort: (port: unknown) => void } };
};

type Listener = (event: { data: unknown }) => void;

/** One end of a channel in the thread of the test. */
class End {
  readonly #listeners = new Set<Listener>();
  other: End | undefined;
  isOpen = true;
  /** What came before anything listened. */
  readonly early: unknown[] = [];
  addEventListener(type: string, listener: Listener): void {
    if (type === 'message') this.#listeners.add(listener);
  }
  removeEventListener(_type: string, listener: Listener): void {
    this.#listeners.delete(listener);
  }
  postMessage(message: unknown, transfer: Transferable[] = []): void {
    const data: unknown = structuredClone(message, { transfer });
    queueMicrotask(() => this.isOpen && this.other?.hear(data));
  }
  hear(data: unknown): void {
    if (this.#listeners.size === 0) this.early.push(data);
    if (this.isOpen) for (const listener of this.#listeners) listener({ data });
  }
}

/** The worker of a PDF: the real program, which begins when the test says so if `isBusy`. */
let ends: { isBusy: boolean; started: number; terminated: number; begin: () => void; hang: () => void };
class PdfWorker extends End {
  constructor() {
    super();
    const program = new End();
    this.other = program;
    program.other = this;
    ends.started += 1;
    ends.begin = () => {
      pdfjsWorker.WorkerMessageHandler.initializeFromPort(program);
      for (const message of program.early.splice(0)) program.hear(message);
    };
    if (!ends.isBusy) ends.begin();
    ends.hang = () => {
      program.isOpen = false;
    };
  }
  terminate(): void {
    if (this.isOpen) ends.terminated += 1;
    this.isOpen = false;
    if (this.other !== undefined) this.other.isOpen = false;
  }
}

/** A PDF of one page, with form XObjects that each paint the next one twice; or in the pattern of a page. */
function doublings(levels: number, content: string, isPattern = false): Uint8Array<ArrayBuffer> {
  const stream = (head: string, text: string): string =>
    `<<${head}/Length ${text.length}>>stream\n${text}\nendstream`;
  const pattern = isPattern ? '/PatternType 1/PaintType 1/TilingType 1/XStep 100/YStep 100' : '';
  const form = `/Type/XObject/Subtype/Form${pattern}/BBox[0 0 100 100]`;
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]/Contents 4 0 R/Resources<</Pattern<</P 5 0 R>>/XObject<</X 5 0 R>>>>>>',
    stream('', isPattern ? '/Pattern cs /P scn 0 0 100 100 re f' : '/X Do'),
    ...Array.from({ length: levels }, (_, level) =>
      stream(`${form}/Resources<</XObject<</X ${level + 6} 0 R>>>>`, '/X Do /X Do'),
    ),
    stream(form, content),
  ];
  const body = objects.map((object, at) => `${at + 1} 0 obj\n${object}\nendobj\n`).join('');
  const trailer = `trailer\n<</Root 1 0 R/Size ${objects.length + 1}>>\n%%EOF`;
  return Uint8Array.from(`%PDF-1.4\n${body}${trailer}`, (character) => character.charCodeAt(0));
}

beforeEach(() => {
  ends = { isBusy: false, started: 0, terminated: 0, begin: () => undefined, hang: () => undefined };
  vi.stubGlobal('Worker', PdfWorker);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(400);
  // jsdom has no canvas: a drawing begins, and gets no frame to go on in.
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockImplementation(function (this: HTMLCanvasElement) {
    vi.stubGlobal('requestAnimationFrame', () => 1);
    const get = (_: object, name: string | symbol): unknown =>
      name === 'canvas'
        ? this
        : name === 'getTransform'
          ? () => ({ a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 })
          : () => {};
    return new Proxy({}, { get, set: () => true }) as never;
  });
  vi.stubGlobal(
    'ResizeObserver',
    class {
      readonly #tell: (entries: object[]) => void;
      constructor(tell: (entries: object[]) => void) {
        this.#tell = tell;
      }
      observe(): void {
        this.#tell([{ contentRect: { width: 400, height: 400 } }]);
      }
      unobserve(): void {}
      disconnect(): void {}
    },
  );
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const show = (bytes: Uint8Array<ArrayBuffer>) =>
  render(
    <MantineProvider env="test">
      <PdfContent bytes={bytes.buffer} mimeType="application/pdf" fileName="a.pdf" fill={false} />
    </MantineProvider>,
  );

it.each([
  ['on its page', 40, false],
  // A pattern is read as a whole, and drawn at one go.
  ['in a pattern', 10, true],
])('shows the bytes of a PDF that repeats its parts too often %s', async (_, levels, isPattern) => {
  const bytes = doublings(levels, 'q Q '.repeat(500), isPattern);
  expect(bytes.byteLength).toBeLessThan(12_000);
  show(bytes);
  expect(
    await screen.findByText(/page 1 has more than 500,000 drawing operations\. Its bytes/),
  ).toBeDefined();
  expect(ends.terminated).toBe(1);
  expect(screen.getByLabelText('Bytes')).toBeDefined();
});

it('does not count for a page what still comes of the one before', async () => {
  const ports: End[] = [];
  vi.stubGlobal(
    'Worker',
    class extends End {
      constructor() {
        super();
        ports.push(this);
      }
      terminate(): void {
        this.isOpen = false;
      }
    },
  );
  const stopped = vi.fn();
  const pdf = await loadPdf(new ArrayBuffer(9), stopped);
  const send = (streamId: number, count: number): void =>
    ports[0]?.hear({ streamId, chunk: { fnArray: Array.from({ length: count }, () => 1) } });
  const draw = (page: number) => pdf.draw(page, 9, document.createElement('canvas'));
  const first = draw(1);
  send(1, 400_000);
  first.cancel();
  const second = draw(2);
  send(1, 90_000);
  send(2, 450_000);
  expect(stopped).not.toHaveBeenCalled();
  send(2, 60_000);
  expect(stopped).toHaveBeenCalledWith(expect.stringContaining('page 2 has more than 500,000'));
  second.cancel();
});

it('stops a worker that takes too long to read a PDF', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  ends.isBusy = true;
  show(doublings(0, ''));
  await vi.waitFor(() => expect(ends.started).toBe(1));
  await act(() => vi.advanceTimersByTimeAsync(29_000));
  expect(screen.queryByText(/not shown/)).toBeNull();
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  expect(screen.getByText(/reading it takes longer than 30 seconds\. Its bytes/)).toBeDefined();
  expect(ends.terminated).toBe(1);
});

it('stops a drawing that takes too long, but not while the window is hidden', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  show(doublings(0, '0 0 9 9 re f'));
  await vi.waitFor(() => expect(HTMLCanvasElement.prototype.getContext).toHaveBeenCalled());
  await act(() => vi.advanceTimersByTimeAsync(100_000));
  hidden.mockReturnValue(false);
  await act(() => vi.advanceTimersByTimeAsync(29_000));
  expect(screen.getByText('Page 1 of 1')).toBeDefined();
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  expect(screen.getByText(/drawing page 1 takes longer than 30 seconds\. Its bytes/)).toBeDefined();
  expect(ends.terminated).toBe(1);
});

it('ends a worker that is busy when the PDF is closed', async () => {
  const { unmount } = show(doublings(0, '0 0 9 9 re f'));
  await screen.findByText('Page 1 of 1');
  ends.hang();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  unmount();
  await vi.advanceTimersByTimeAsync(500);
  expect(ends.terminated).toBe(1);
});

it('stays on its first page when pages are turned before it is read', async () => {
  ends.isBusy = true;
  show(doublings(0, ''));
  await vi.waitFor(() => expect(ends.started).toBe(1));
  expect(screen.queryByLabelText(/of 0/)).toBeNull();
  const place = screen.getByRole('group');
  fireEvent.keyDown(place, { key: 'PageDown' });
  fireEvent.keyDown(place, { key: 'End' });
  act(() => ends.begin());
  expect(await screen.findByText('Page 1 of 1')).toBeDefined();
});
