import { useState } from 'react';
import type { BodyId } from '../contract/generated';
import { Failed, Waiting } from '../widgets/status/Waiting';
import { Segments } from '../widgets/controls/Segments';
import { useBodyBytes } from '../widgets/code/useBodyText';
import { AudioContent } from './media/AudioContent';
import { TABLE_LIMIT, isCsv } from './CsvContent';
import { HexContent } from './HexContent';
import { PdfContent } from './media/PdfContent';
import { ImageContent } from './media/ImageContent';
import type { BytesProps } from './SaveButton';
import { TableBytes, TextBytes } from './TextBytes';
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

interface Viewer {
  name: string;
  View: (props: BytesProps) => React.ReactNode;
}

/** The viewers of a MIME type, the best first; the last shows the bytes themselves. */
function viewersOf(mimeType: string, size: number): Viewer[] {
  const text: Viewer = { name: 'Text', View: TextBytes };
  const bytes: Viewer = { name: 'Bytes', View: HexContent };
  if (mimeType.startsWith('image/')) return [{ name: 'Image', View: ImageContent }, bytes];
  if (mimeType.startsWith('audio/')) return [{ name: 'Audio', View: AudioContent }, bytes];
  if (mimeType.startsWith('video/')) return [{ name: 'Video', View: VideoContent }, bytes];
  if (/^application\/(x-)?pdf\b/.test(mimeType)) return [{ name: 'PDF', View: PdfContent }, bytes];
  if (isCsv(mimeType) && size <= TABLE_LIMIT) return [{ name: 'Table', View: TableBytes }, text, bytes];
  if (/^text\/|[/+](json|xml|javascript|yaml)\b/.test(mimeType)) return [text, bytes];
  return [bytes];
}

/** Binary content, shown by its MIME type or as bytes. */
export function BlobContent({ body, mimeType, fileName, fill }: BlobContentProps) {
  const loaded = useBodyBytes(body);
  const [chosen, setChosen] = useState<string | null>(null);
  if (loaded.state === 'failed') return <Failed error={loaded.error} />;
  if (loaded.state === 'loading') return <Waiting text="Loading…" />;
  const viewers = viewersOf((mimeType ?? '').trim().toLowerCase(), loaded.value.byteLength);
  const { name, View } = viewers.find((viewer) => viewer.name === chosen) ??
    viewers[0] ?? { name: '', View: HexContent };
  const props: BytesProps = {
    bytes: loaded.value,
    mimeType: mimeType ?? 'application/octet-stream',
    fileName,
    fill,
  };
  if (viewers.length < 2) return <View {...props} />;
  return (
    <>
      <div className={classes.viewBar}>
        <Segments
          label="Show content as"
          value={name}
          onChange={setChosen}
          segments={viewers.map((viewer) => ({ value: viewer.name, label: viewer.name }))}
        />
      </div>
      <View {...props} />
    </>
  );
}
