import type { ResourceItem, SkillItem } from '../../../contract/generated';
import { textOf } from '../lists';
import type { ListRow } from '../serverList';

/** What a skill consists of (extension `io.modelcontextprotocol/skills`), and what its server may have got wrong. */

const MAIN_FILE = 'SKILL.md';

/** A file of a skill, as its list describes it. */
export interface SkillFile {
  uri: string;
  /** Null if it is not listed. */
  digest: string | null;
  size: number | null;
}

/** The definition of a skill. */
export interface SkillDefinition {
  /** The frontmatter as the list has it; null if there is none. */
  frontmatter: Record<string, unknown> | null;
  /** Null if the server generates them (`"dynamic"`), or if it lists none. */
  files: SkillFile[] | null;
}

/** What every host must accept, and thus what servers should not exceed. */
export const MAX_FILES = 512;
export const MAX_TOTAL_SIZE = 16 * 1024 * 1024;

/** The definition that `skills/list` returned, leniently. */
export function readDefinition(json: string): SkillDefinition {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    value = null;
  }
  if (!isObject(value)) return { frontmatter: null, files: null };
  const { frontmatter, resources } = value;
  return {
    frontmatter: isObject(frontmatter) ? frontmatter : null,
    files: Array.isArray(resources) ? resources.flatMap((file) => readFile(file)) : null,
  };
}

function readFile(value: unknown): SkillFile[] {
  if (!isObject(value) || typeof value.uri !== 'string') return [];
  const { uri, digest, size } = value;
  return [
    {
      uri,
      digest: typeof digest === 'string' ? digest : null,
      size: typeof size === 'number' && Number.isFinite(size) ? size : null,
    },
  ];
}

/** The folder of a skill, without a slash at the end; null if its URI does not end with `/SKILL.md`. */
export function folderOf(uri: string): string | null {
  return uri.endsWith(`/${MAIN_FILE}`) ? uri.slice(0, -MAIN_FILE.length - 1) : null;
}

/** The path of a file within the folder of a skill; null if it is not in it, or leaves it again. */
export function pathIn(folder: string | null, uri: string): string | null {
  if (folder === null || !uri.startsWith(`${folder}/`)) return null;
  const path = uri.slice(folder.length + 1);
  return path !== '' && !path.split(/[/\\]/).some((part) => isStep(part)) ? path : null;
}

/** Whether a segment leads to another folder, also when percent-encoded; an encoded slash may hide such a segment. */
function isStep(segment: string): boolean {
  const plain = segment.replace(/%2e/gi, '.');
  return plain === '..' || plain === '.' || /%2f|%5c/i.test(segment);
}

/** What is wrong with a skill as it is listed, in sentences. */
export function problemsOf(uri: string, name: string, files: readonly SkillFile[] | null): string[] {
  const folder = folderOf(uri);
  const problems: string[] = [];
  if (folder === null) problems.push('The URI does not end with /SKILL.md.');
  else if (name !== '' && folder.split('/').at(-1) !== name)
    problems.push('The name differs from the last folder of the URI.');
  if (files === null) return problems;
  const outside = files.filter((file) => pathIn(folder, file.uri) === null).length;
  if (outside > 0)
    problems.push(
      outside === 1 ? 'One file is outside its folder.' : `${outside} files are outside its folder.`,
    );
  if (!files.some((file) => file.uri === uri)) problems.push('SKILL.md is missing from its files.');
  if (files.length > MAX_FILES) problems.push(`It has more than ${MAX_FILES} files; hosts may reject it.`);
  if (files.reduce((sum, { size }) => sum + (size ?? 0), 0) > MAX_TOTAL_SIZE)
    problems.push('Its files exceed 16 MiB in total; hosts may reject it.');
  return problems;
}

/**
 * The skills of a server: those that it lists, then those that are known only because a `SKILL.md` is among its resources.
 * The index of the latter is negative: they have no definition.
 */
export function allSkills(
  listed: ListRow<SkillItem>[],
  resources: readonly ListRow<ResourceItem>[],
): ListRow<SkillItem>[] {
  const known = new Set(listed.map(({ item }) => item.uri));
  const others = resources.flatMap(({ item: { uri, name, description } }, at): ListRow<SkillItem>[] => {
    const folder = folderOf(uri);
    if (folder === null || known.has(uri)) return [];
    known.add(uri);
    const last = folder.split('/').at(-1) ?? '';
    const item: SkillItem = {
      index: -1 - at,
      uri,
      name: name === '' || name === MAIN_FILE ? last : name,
      description,
      fileCount: null,
      totalSize: null,
      violations: [],
    };
    return [{ item, text: textOf(item).toLowerCase() }];
  });
  return others.length === 0 ? listed : [...listed, ...others];
}

/** The files of a skill that is known from resources only: all resources in its folder. */
export function filesAmong(resources: readonly ListRow<ResourceItem>[], uri: string): SkillFile[] {
  const folder = folderOf(uri);
  return resources.flatMap(({ item }) =>
    item.uri === uri || pathIn(folder, item.uri) !== null
      ? [{ uri: item.uri, digest: null, size: item.size }]
      : [],
  );
}

/** A file as a row of a tree of resources. */
export function fileRow({ uri, size }: SkillFile, index: number): ListRow<ResourceItem> {
  const item: ResourceItem = {
    index,
    uri,
    name: '',
    title: null,
    description: null,
    mimeType: null,
    size,
    audience: [],
    priority: null,
    lastModified: null,
    icon: null,
    violations: [],
  };
  return { item, text: '' };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
