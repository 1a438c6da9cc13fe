import { IconZoomIn, IconZoomOut } from '@tabler/icons-react';
import { useMemo, useRef, useState } from 'react';
import { IconButton } from '../../widgets/controls/IconButton';
import { Segments } from '../../widgets/controls/Segments';
import { whyNotDrawn } from '../../widgets/bytes/picture';
import { HexContent } from '../HexContent';
import { type BytesProps, SaveButton } from '../SaveButton';
import { useImageZoom } from './useImageZoom';
import { useObjectUrl } from './useObjectUrl';
import classes from '../content.module.css';

/** An image; as bytes if it is too large to be drawn. */
export function ImageContent(props: BytesProps) {
  const why = useMemo(() => whyNotDrawn(props.bytes), [props.bytes]);
  if (why === null) return <Drawn {...props} />;
  return (
    <>
      <p className={classes.checkLine} data-tone="warn">
        {why} It can be saved.
      </p>
      <HexContent {...props} />
    </>
  );
}

/** An image on a checked ground, as large as the pane allows or zoomed. */
function Drawn(props: BytesProps) {
  const { bytes, mimeType, fileName, fill } = props;
  const url = useObjectUrl(bytes, mimeType);
  const [size, setSize] = useState<{ width: number; height: number } | null>(null);
  const place = useRef<HTMLDivElement>(null);
  const { zoom, setZoom, larger, smaller, canGrow, canShrink, handlers } = useImageZoom(place, url !== null);
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
  return (
    <div className={classes.media} data-fill={fill || undefined}>
      {/* Zoomed and scrolled by keys. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <div
        ref={place}
        className={classes.imagePlace}
        role="group"
        aria-label="Image: + and − zoom, 0 fits, 1 shows 100 %"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        {...handlers}
        data-zoomed={zoom !== null || undefined}
        data-fill={fill || undefined}
      >
        <div className={classes.checker} data-zoomed={zoom !== null || undefined}>
          <img
            src={url}
            draggable={false}
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
          label="Image size"
          value={zoom === null ? 'fit' : zoom === 100 ? 'actual' : 'other'}
          onChange={(value) => setZoom(value === 'fit' ? null : 100)}
          segments={[
            { value: 'fit', label: 'Fit' },
            { value: 'actual', label: '100 %' },
          ]}
        />
        <IconButton
          icon={IconZoomOut}
          label="Zoom out (−)"
          disabled={!canShrink}
          onClick={() => setZoom(smaller)}
        />
        <IconButton
          icon={IconZoomIn}
          label="Zoom in (+)"
          disabled={!canGrow}
          onClick={() => setZoom(larger)}
        />
        {zoom !== null && zoom !== 100 && <span className={`${classes.dim} pb-num`}>{zoom} %</span>}
        <span className="pb-grow" />
        <SaveButton bytes={bytes} fileName={fileName} mimeType={mimeType} />
      </div>
    </div>
  );
}
