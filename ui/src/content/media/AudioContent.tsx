import { useState } from 'react';
import { type BytesProps, SaveButton } from '../SaveButton';
import { useObjectUrl } from './useObjectUrl';
import classes from '../content.module.css';

export function AudioContent({ bytes, mimeType, fileName }: BytesProps) {
  const url = useObjectUrl(bytes, mimeType);
  const [broken, setBroken] = useState(false);
  if (url === null) return null;
  return (
    <div className={classes.media}>
      {broken ? (
        <p className={classes.checkLine} data-tone="warn">
          This audio cannot be played here.
        </p>
      ) : (
        // The server sends no captions.
        // oxlint-disable-next-line jsx-a11y/media-has-caption
        <audio controls src={url} onError={() => setBroken(true)} className={classes.audio} />
      )}
      <div className={classes.mediaLine}>
        <SaveButton bytes={bytes} fileName={fileName} mimeType={mimeType} />
      </div>
    </div>
  );
}
