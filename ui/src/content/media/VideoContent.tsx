import { useState } from 'react';
import { type BytesProps, SaveButton } from '../SaveButton';
import { useObjectUrl } from './useObjectUrl';
import classes from '../content.module.css';

export function VideoContent({ bytes, mimeType, fileName }: BytesProps) {
  const url = useObjectUrl(bytes, mimeType);
  const [broken, setBroken] = useState(false);
  const [size, setSize] = useState<string | null>(null);
  if (url === null) return null;
  return (
    <div className={classes.media}>
      {broken ? (
        <p className={classes.checkLine} data-tone="warn">
          This video cannot be played here. Save it to open it in another program.
        </p>
      ) : (
        // The server sends no captions.
        // oxlint-disable-next-line jsx-a11y/media-has-caption
        <video
          controls
          src={url}
          className={classes.video}
          onError={() => setBroken(true)}
          onLoadedMetadata={({ currentTarget }) =>
            setSize(`${currentTarget.videoWidth} × ${currentTarget.videoHeight}`)
          }
        />
      )}
      <div className={classes.mediaLine}>
        <span className={`${classes.dim} pb-num`}>{size}</span>
        <SaveButton bytes={bytes} fileName={fileName} mimeType={mimeType} />
      </div>
    </div>
  );
}
