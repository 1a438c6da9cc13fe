import { IconChevronLeft, IconChevronRight, IconZoomIn, IconZoomOut } from '@tabler/icons-react';
import { useElementSize } from '@mantine/hooks';
import { type KeyboardEvent, useRef, useState } from 'react';
import { IconButton } from '../../widgets/controls/IconButton';
import { HexContent } from '../HexContent';
import { type BytesProps, SaveButton } from '../SaveButton';
import { usePdf, usePdfPage } from './usePdf';
import classes from '../content.module.css';

/** The steps of the zoom, in percent of the width of the pane. */
const STEPS = [50, 75, 100, 150, 200, 300] as const;

/** A PDF, one page at a time. */
export function PdfContent(props: BytesProps) {
  const { bytes, mimeType, fileName, fill } = props;
  const pdf = usePdf(bytes);
  const [page, setPage] = useState(1);
  const [zoom, setZoom] = useState<number>(100);
  const { ref: place, width } = useElementSize();
  const count = pdf.state === 'ready' ? pdf.pages : 0;
  const canvas = useRef<HTMLCanvasElement>(null);
  const problem = usePdfPage(canvas, pdf.state === 'ready' ? pdf.draw : null, page, (width * zoom) / 100);
  if (pdf.state === 'failed') {
    return (
      <>
        <p className={classes.checkLine} data-tone="warn">
          {pdf.message} Its bytes are below.
        </p>
        <HexContent {...props} />
      </>
    );
  }
  /** Also before the number of pages is known, when there is only the first page to go to. */
  const go = (to: number): void => setPage(Math.max(1, Math.min(count, to)));
  const position = pdf.state === 'ready' ? `Page ${page} of ${count}` : 'Loading…';
  const onKeyDown = (event: KeyboardEvent): void => {
    const to = { PageUp: page - 1, PageDown: page + 1, Home: 1, End: count }[event.key];
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    go(to);
  };
  return (
    <div className={classes.media} data-fill={fill || undefined}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <div
        ref={place}
        className={classes.pdfPlace}
        data-fill={fill || undefined}
        role="group"
        aria-label="PDF: Page Up and Page Down turn pages"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        <canvas ref={canvas} role="img" aria-label={position} />
        {problem !== null && (
          <p className={classes.checkLine} data-tone="warn" role="status">
            Page {page} cannot be shown: {problem}
          </p>
        )}
      </div>
      <div className={classes.mediaLine}>
        <IconButton
          icon={IconChevronLeft}
          label="Previous page"
          disabled={page <= 1}
          onClick={() => go(page - 1)}
        />
        <span className={`${classes.dim} pb-num`} role="status">
          {position}
        </span>
        <IconButton
          icon={IconChevronRight}
          label="Next page"
          disabled={page >= count}
          onClick={() => go(page + 1)}
        />
        <IconButton
          icon={IconZoomOut}
          label="Zoom out"
          disabled={zoom <= STEPS[0]}
          onClick={() => setZoom(STEPS.findLast((step) => step < zoom) ?? zoom)}
        />
        <IconButton
          icon={IconZoomIn}
          label="Zoom in"
          disabled={zoom >= (STEPS.at(-1) ?? 0)}
          onClick={() => setZoom(STEPS.find((step) => step > zoom) ?? zoom)}
        />
        <span className="pb-grow" />
        <SaveButton bytes={bytes} fileName={fileName} mimeType={mimeType} />
      </div>
    </div>
  );
}
