import { useState } from 'react';
import type { BodyId } from '../contract/generated';
import { Failed, Waiting } from '../widgets/status/Waiting';
import { Segments } from '../widgets/controls/Segments';
import { useBodyBytes } from '../widgets/code/useBodyText';
import { AudioContent } from './media/AudioContent';
import { HexContent } from './HexContent';
import { PdfContent } from './media/PdfContent';
import { ImageContent } from './media/ImageContent';
import type { BytesProps } from './SaveButton';
import { TextBytes } from './TextBytes';
import { VideoContent } from './media/VideoContent';
import classes from './content.module.css';

interface BlobContentProps {
  body: BodyId;
  /** As sent by the server. */
  mimeType: string | null;
  fileName: string;
  /** It fills the pane. */
  fill: boolean;
}

/** The viewer of a MIME type, if there is one other than the bytes themselves. */
function viewerOf(mimeType: string): { name: string; Viewer: (props: BytesProps) => React.ReactNode } | null {
  if (mimeType.startsWith('image/')) return { name: 'Image', Viewer: ImageContent };
  if (mimeType.startsWith('audio/')) return { name: 'Audio', Viewer: AudioContent };
  if (mimeType.startsWith('video/')) return { name: 'Video', Viewer: VideoContent };
  if (/^application\/(x-)?pdf\b/.test(mimeType)) return { name: 'PDF', Viewer: PdfContent };
  if (/^text\/|[/+](json|xml|javascript|yaml)\b/.test(mimeType)) return { name: 'Text', Viewer: TextBytes };
  return null;
}

/** Binary content, shown by its MIME type or as bytes. */
export function BlobContent({ body, mimeType, fileName, fill }: BlobContentProps) {
  const loaded = useBodyBytes(body);
  const [asBytes, setAsBytes] = useState(false);
  if (loaded.state === 'failed') return <Failed error={loaded.error} />;
  if (loaded.state === 'loading') return <Waiting text="Loading…" />;
  const viewer = viewerOf((mimeType ?? '').trim().toLowerCase());
  const props: BytesProps = {
    bytes: loaded.value,
    mimeType: mimeType ?? 'application/octet-stream',
    fileName,
    fill,
  };
  if (viewer === null) return <HexContent {...props} />;
  const { name, Viewer } = viewer;
  return (
    <>
      <div className={classes.viewBar}>
        <Segments
          label="Show content as"
          value={asBytes ? 'bytes' : 'viewer'}
          onChange={(value) => setAsBytes(value === 'bytes')}
          segments={[
            { value: 'viewer', label: name },
            { value: 'bytes', label: 'Bytes' },
          ]}
        />
      </div>
      {asBytes ? <HexContent {...props} /> : <Viewer {...props} />}
    </>
  );
}
