import { describe, expect, it } from 'vitest';
import type { SkillItem } from '../../../contract/generated';
import { aResource } from '../resources/resources.fixture';
import type { ListRow } from '../serverList';
import { allSkills, filesAmong, pathIn, problemsOf, readDefinition } from './skill';

function listed(uri: string): ListRow<SkillItem> {
  const item: SkillItem = {
    index: 0,
    uri,
    name: 'a',
    description: null,
    fileCount: 1,
    totalSize: 3,
    violations: [],
  };
  return { item, text: 'a\n' };
}

const file = (uri: string, size = 1) => ({ uri, digest: 'sha256:0', size });

describe('the files of a skill', () => {
  it.each([
    ['skill://a/SKILL.md', 'SKILL.md'],
    ['skill://a/b/c.md', 'b/c.md'],
    ['skill://a/../b', null],
    ['skill://a/%2e%2E/b', null],
    ['skill://a/b%2fc', null],
    ['skill://ab/c', null],
    ['demo://readme', null],
  ])('%s has the path %s', (uri, path) => {
    expect(pathIn('skill://a', uri)).toBe(path);
  });

  it('are read from a definition, however malformed it is', () => {
    expect(readDefinition('not JSON')).toEqual({ frontmatter: null, files: null });
    expect(readDefinition('{"resources":"dynamic","frontmatter":[]}')).toEqual({
      frontmatter: null,
      files: null,
    });
    expect(readDefinition('{"resources":[7,{"uri":1},{"uri":"x","size":"9"}]}').files).toEqual([
      { uri: 'x', digest: null, size: null },
    ]);
  });

  it('have their problems said', () => {
    const main = file('skill://a/SKILL.md');
    expect(problemsOf('skill://a/SKILL.md', 'a', [main])).toEqual([]);
    expect(problemsOf('skill://a/SKILL.md', 'b', [main])).toEqual([
      'The name differs from the last folder of the URI.',
    ]);
    expect(problemsOf('skill://a/SKILL.md', 'a', [file('skill://a/../x')])).toEqual([
      'One file is outside its folder.',
      'SKILL.md is missing from its files.',
    ]);
    expect(problemsOf('skill://a/SKILL.md', 'a', [main, file('skill://a/b', 17_000_000)])).toEqual([
      'Its files exceed 16 MiB in total; hosts may reject it.',
    ]);
  });
});

describe('skills among resources', () => {
  const rows = ['skill://a/SKILL.md', 'skill://b/SKILL.md', 'skill://b/x.py', 'demo://readme'].map(
    (uri, index) => ({
      item: aResource(index, uri, { name: 'SKILL.md' }),
      text: '',
    }),
  );

  it('are added to those that are listed, once each', () => {
    const all = allSkills([listed('skill://a/SKILL.md')], rows);
    expect(all.map(({ item }) => [item.uri, item.name, item.index < 0])).toEqual([
      ['skill://a/SKILL.md', 'a', false],
      ['skill://b/SKILL.md', 'b', true],
    ]);
  });

  it('have the resources in their folder as files', () => {
    expect(filesAmong(rows, 'skill://b/SKILL.md').map(({ uri }) => uri)).toEqual([
      'skill://b/SKILL.md',
      'skill://b/x.py',
    ]);
  });
});
