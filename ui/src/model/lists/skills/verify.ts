import type { ContentItem } from '../../../contract/generated';
import type { Host } from '../../../host/host';
import { formatSize } from '../../text/format';
import { differingNames, splitFrontmatter } from '../../text/frontmatter';
import type { MarkdownParser } from '../../text/markdown/parser';
import { bodyOf, textOf } from '../../text/textOf';
import type { SkillFile } from './skill';

/** Whether what was read of a file is what its skill lists. A match proves no more than that both are consistent. */
export type Verification = { matches: boolean; words: string };

/** Larger contents are not hashed, which would block the window. */
const MAX_HASHED = 32 * 1024 * 1024;

/**
 * Compares contents with the size and the digest that are listed for a file, and the frontmatter of a `SKILL.md` with the
 * listed one, which is what a model chose the skill by.
 */
export async function verify(
  { host, markdown }: { host: Host; markdown: MarkdownParser },
  file: SkillFile,
  listed: Readonly<Record<string, unknown>> | null,
  contents: readonly ContentItem[],
): Promise<Verification> {
  const frontmatter = listed === null ? null : await frontmatterProblem(host, markdown, listed, contents);
  return frontmatter === null ? verifyBytes(host, file, contents) : { matches: false, words: frontmatter };
}

async function frontmatterProblem(
  host: Host,
  markdown: MarkdownParser,
  listed: Readonly<Record<string, unknown>>,
  contents: readonly ContentItem[],
): Promise<string | null> {
  const item = contents.find(({ type }) => type === 'resourceText');
  if (item?.type !== 'resourceText' || item.text.size > MAX_HASHED) return null;
  const { yaml } = splitFrontmatter(await textOf(host, item.text));
  if (yaml === null) return 'The list has frontmatter, but the file has none.';
  const read = await markdown.frontmatter(yaml);
  if (read.type === 'notRead') return `The frontmatter of the file was not read: ${read.message}`;
  if (read.type === 'invalid') return `The frontmatter of the file is not valid: ${read.message}`;
  const names = differingNames(listed, read.value);
  if (names.length === 0) return null;
  const shown = names
    .slice(0, 5)
    .map((name) => name.slice(0, 60))
    .join(', ');
  return `The frontmatter of the file differs from the list: ${shown}${names.length > 5 ? ' …' : ''}.`;
}

async function verifyBytes(
  host: Host,
  file: SkillFile,
  contents: readonly ContentItem[],
): Promise<Verification> {
  const item = contents.find((each) => 'uri' in each && each.uri === file.uri) ?? contents[0];
  const bytes = item === undefined ? null : await bytesOf(host, item);
  if (bytes === null)
    return { matches: false, words: 'It has no contents that can be compared with the list.' };
  if (file.size === null || file.digest === null)
    return { matches: false, words: 'The list is missing the size or the digest of this file.' };
  if (bytes.byteLength !== file.size)
    return {
      matches: false,
      words: `Size differs: ${formatSize(file.size)} listed, ${formatSize(bytes.byteLength)} read.`,
    };
  if (bytes.byteLength > MAX_HASHED) return { matches: false, words: 'Too large to compare its digest.' };
  const digest = `sha256:${hex(await crypto.subtle.digest('SHA-256', bytes))}`;
  return digest === file.digest
    ? { matches: true, words: 'Size and digest match the skill list.' }
    : { matches: false, words: 'Digest differs from the skill list.' };
}

async function bytesOf(host: Host, item: ContentItem): Promise<Uint8Array<ArrayBuffer> | null> {
  if (item.type === 'resourceText') return new TextEncoder().encode(await textOf(host, item.text));
  if (item.type === 'resourceBlob') return bodyOf(host, item.body);
  return null;
}

function hex(bytes: ArrayBuffer): string {
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
