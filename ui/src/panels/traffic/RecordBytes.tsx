import { HexContent } from '../../content/HexContent';
import type { BodyId } from '../../contract/generated';
import { useBodyBytes } from '../../widgets/code/useBodyText';
import { Failed, Waiting } from '../../widgets/status/Waiting';
import classes from './TrafficPanel.module.css';

/** What was recorded, byte for byte, as hex and as text. */
export function RecordBytes({ body, fileName }: { body: BodyId; fileName: string }) {
  const loaded = useBodyBytes(body);
  if (loaded.state === 'loading') return <Waiting text="Loading…" />;
  if (loaded.state === 'failed') return <Failed error={loaded.error} />;
  return (
    <div className={classes.bytes}>
      <HexContent bytes={loaded.value} mimeType="application/octet-stream" fileName={fileName} fill />
    </div>
  );
}
