import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { saveBytes } from '../widgets/bytes/saveBytes';

/** What every viewer of loaded bytes gets. */
export interface BytesProps {
  bytes: ArrayBuffer;
  /** As sent by the server. */
  mimeType: string;
  fileName: string;
  /** It fills the pane. */
  fill: boolean;
}

interface SaveButtonProps {
  bytes: BlobPart;
  fileName: string;
  mimeType: string | null;
}

/** Saves loaded content as a file. */
export function SaveButton({ bytes, fileName, mimeType }: SaveButtonProps) {
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
