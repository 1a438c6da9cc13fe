import { IconZoomIn, IconZoomOut } from '@tabler/icons-react';
import { useState } from 'react';
import { IconButton } from '../widgets/controls/IconButton';
import { Segments } from '../widgets/controls/Segments';
import { HexContent } from './HexContent';
import { type BytesProps, SaveButton } from './SaveButton';
import { useObjectUrl } from './useObjectUrl';
import classes from './content.module.css';

/** The steps of the zoom, in percent of the image's own size. */
const STEPS = [5, 10, 25, 50, 75, 100, 150, 200, 400, 800, 1600] as const;

/** An image on a checked ground, as large as the pane allows or zoomed. */
export function ImageContent(props: BytesProps) {
  const { bytes, mimeType, fileName, fill } = props;
  const url = useObjectUrl(bytes, mimeType);
  const [size, setSize] = useState<{ width: number; height: number } | null>(null);
  /** In percent; null fits it into the pane. */
  const [zoom, setZoom] = useState<number | null>(null);
  const [broken, setBroken] = useState(false);
  if (broken) {
    return (
      <>
        <p className={classes.checkLine} data-tone="warn">
          Cannot be displayed as an image: the bytes do not match the declared type.
        </p>
        <HexContent {...props} />
      </>
    );
  }
  if (url === null) return null;
  const now = zoom ?? 100;
  return (
    <div className={classes.media} data-fill={fill || undefined}>
      {/* Scrolled by keys too. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div
        className={classes.imagePlace}
        tabIndex={zoom === null ? undefined : 0}
        data-fill={fill || undefined}
      >
        <div className={classes.checker} data-zoomed={zoom !== null || undefined}>
          <img
            src={url}
            alt={`Content of type ${mimeType}`}
            style={
              zoom === null || size === null
                ? undefined
                : { width: (size.width * zoom) / 100, imageRendering: zoom > 200 ? 'pixelated' : 'auto' }
            }
            onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
              setSize({ width: naturalWidth, height: naturalHeight })
            }
            onError={() => setBroken(true)}
          />
        </div>
      </div>
      <div className={classes.mediaLine}>
        <span className={`${classes.dim} pb-num`}>{size !== null && `${size.width} × ${size.height}`}</span>
        <Segments
          label="Size of the image"
          value={zoom === null ? 'fit' : zoom === 100 ? 'actual' : 'other'}
          onChange={(value) => setZoom(value === 'fit' ? null : 100)}
          segments={[
            { value: 'fit', label: 'Fit' },
            { value: 'actual', label: '100 %' },
          ]}
        />
        <IconButton
          icon={IconZoomOut}
          label="Zoom out"
          disabled={now <= STEPS[0]}
          onClick={() => setZoom(STEPS.findLast((step) => step < now) ?? now)}
        />
        <IconButton
          icon={IconZoomIn}
          label="Zoom in"
          disabled={now >= (STEPS.at(-1) ?? 0)}
          onClick={() => setZoom(STEPS.find((step) => step > now) ?? now)}
        />
        {zoom !== null && zoom !== 100 && <span className={`${classes.dim} pb-num`}>{zoom} %</span>}
        <span className={classes.grow} />
        <SaveButton bytes={bytes} fileName={fileName} mimeType={mimeType} />
      </div>
    </div>
  );
}
