import type { ContentItem } from '../../../contract/generated';
import type { Host } from '../../../host/host';
import { formatSize } from '../../text/format';
import { textOf } from '../../text/textOf';

/** The contents of a resource as text, for comparing two reads. */

/** The size of the text that `textOfAll` would load, in bytes. */
export function sizeOf(item: ContentItem): number {
  return item.type === 'resourceText' ? item.text.size : 0;
}

/** All contents as one text. Of several, each is preceded by its URI; binary ones are represented by type and size. */
export async function textOfAll(host: Host, items: ContentItem[]): Promise<string> {
  const texts = await Promise.all(
    items.map(async (item) => {
      const text =
        item.type === 'resourceText'
          ? await textOf(host, item.text)
          : item.type === 'resourceBlob'
            ? `(${item.mimeType ?? 'binary'}, ${formatSize(item.size)})`
            : '(cannot be compared)';
      const uri = 'uri' in item ? item.uri : '';
      return items.length > 1 ? `${uri}\n${text}` : text;
    }),
  );
  return texts.join('\n\n');
}
