import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useEffect, useMemo, useState } from 'react';
import type { BodyId } from '../contract/generated';
import { formatSize } from '../model/text/format';
import { CodeText, Failed, Waiting } from '../widgets/code/CodeView';
import { HEX_LIMIT, hexDump } from '../widgets/bytes/hex';
import { saveBytes } from '../widgets/bytes/saveBytes';
import { useBodyBytes } from '../widgets/code/useBodyText';
import classes from './content.module.css';

interface MediaProps {
  body: BodyId;
  /** As sent by the server. */
  mimeType: string;
  fileName: string;
}

/** An object URL that lives as long as the component. Only for `img` and `audio`, which run no scripts. */
function useObjectUrl(bytes: ArrayBuffer | null, mimeType: string): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (bytes === null) return undefined;
    const made = URL.createObjectURL(new Blob([bytes], { type: mimeType }));
    // The URL is created and revoked with the effect.
    // oxlint-disable-next-line react/set-state-in-effect
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [bytes, mimeType]);
  return url;
}

export function ImageContent({ body, mimeType, fileName }: MediaProps) {
  const loaded = useBodyBytes(body);
  const url = useObjectUrl(loaded.state === 'ready' ? loaded.value : null, mimeType);
  const [size, setSize] = useState<string | null>(null);
  const [broken, setBroken] = useState(false);
  if (loaded.state === 'failed') return <Failed error={loaded.error} />;
  if (loaded.state === 'loading' || url === null) return <Waiting text="Loading image …" />;
  if (broken) {
    return (
      <>
        <p className={classes.checkLine} data-tone="warn">
          Cannot be displayed as an image: the bytes do not match the declared type.
        </p>
        <Hex bytes={loaded.value} fileName={fileName} mimeType={mimeType} />
      </>
    );
  }
  return (
    <div className={classes.media}>
      <div className={classes.checker}>
        <img
          src={url}
          alt={`Content of type ${mimeType}`}
          onLoad={({ currentTarget }) =>
            setSize(`${currentTarget.naturalWidth} × ${currentTarget.naturalHeight}`)
          }
          onError={() => setBroken(true)}
        />
      </div>
      <div className={classes.mediaLine}>
        <span className={`${classes.dim} pb-num`}>{size}</span>
        <Save bytes={loaded.value} fileName={fileName} mimeType={mimeType} />
      </div>
    </div>
  );
}

export function AudioContent({ body, mimeType, fileName }: MediaProps) {
  const loaded = useBodyBytes(body);
  const url = useObjectUrl(loaded.state === 'ready' ? loaded.value : null, mimeType);
  const [broken, setBroken] = useState(false);
  if (loaded.state === 'failed') return <Failed error={loaded.error} />;
  if (loaded.state === 'loading' || url === null) return <Waiting text="Loading audio …" />;
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
        <Save bytes={loaded.value} fileName={fileName} mimeType={mimeType} />
      </div>
    </div>
  );
}

type BlobProps = Omit<MediaProps, 'mimeType'> & { mimeType: string | null };

export function BlobContent({ body, mimeType, fileName }: BlobProps) {
  const loaded = useBodyBytes(body);
  if (loaded.state === 'failed') return <Failed error={loaded.error} />;
  if (loaded.state === 'loading') return <Waiting text="Loading …" />;
  return <Hex bytes={loaded.value} fileName={fileName} mimeType={mimeType} />;
}

function Hex({
  bytes,
  fileName,
  mimeType,
}: {
  bytes: ArrayBuffer;
  fileName: string;
  mimeType: string | null;
}) {
  const text = useMemo(() => hexDump(new Uint8Array(bytes)), [bytes]);
  return (
    <div className={classes.media}>
      {bytes.byteLength > 0 && (
        <CodeText text={text} language="plain" label="Bytes" numbered={false} height={240} />
      )}
      <div className={classes.mediaLine}>
        <span className={`${classes.dim} pb-num`}>
          {bytes.byteLength > HEX_LIMIT
            ? `First ${formatSize(HEX_LIMIT)} of ${formatSize(bytes.byteLength)}`
            : formatSize(bytes.byteLength)}
        </span>
        <Save bytes={bytes} fileName={fileName} mimeType={mimeType} />
      </div>
    </div>
  );
}

function Save({
  bytes,
  fileName,
  mimeType,
}: {
  bytes: ArrayBuffer;
  fileName: string;
  mimeType: string | null;
}) {
  return (
    <Button
      variant="subtle"
      color="gray"
      size="compact-xs"
      leftSection={<IconDownload size={14} />}
      onClick={() => saveBytes(bytes, fileName, mimeType ?? 'application/octet-stream')}
    >
      Save as {fileName}
    </Button>
  );
}
