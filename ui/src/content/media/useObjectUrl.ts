import { useEffect, useState } from 'react';

/** An object URL that lives as long as the component. Only for `img`, `audio` and `video`, which run no scripts. */
export function useObjectUrl(bytes: ArrayBuffer, mimeType: string): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([bytes], { type: mimeType }));
    // The URL is created and revoked with the effect.
    // oxlint-disable-next-line react/set-state-in-effect
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [bytes, mimeType]);
  return url;
}
