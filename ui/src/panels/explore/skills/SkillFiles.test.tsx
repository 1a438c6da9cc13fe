import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import type { ServerId } from '../../../contract/generated';
import { ScriptedHost } from '../../../host/scripted';
import type { SkillFile } from '../../../model/lists/skills/skill';
import { ModelProvider, createModel } from '../../../model/workspace/context';
import { SkillFiles } from './SkillFiles';

const SERVER = 's' as ServerId;
const FILES = ['skill://a/SKILL.md', 'skill://a/one/1.md', 'skill://a/two/2.md'];

beforeEach(() => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe(): void {}
      unobserve(): void {}
      disconnect(): void {}
    },
  );
  return () => vi.unstubAllGlobals();
});

function show() {
  const onOpen = vi.fn<(uri: string) => void>();
  const onSelect = vi.fn<(uri: string) => void>();
  const files = FILES.map((uri): SkillFile => ({ uri, digest: null, size: null }));
  function Files() {
    const [selected, setSelected] = useState(FILES[0] ?? '');
    onSelect.mockImplementation(setSelected);
    return (
      <SkillFiles
        serverId={SERVER}
        files={files}
        isDynamic={false}
        selected={selected}
        onSelect={onSelect}
        onOpen={onOpen}
      />
    );
  }
  render(
    <MantineProvider env="test">
      <ModelProvider model={createModel(new ScriptedHost())}>
        <Files />
      </ModelProvider>
    </MantineProvider>,
  );
  const list = screen.getByRole('listbox', { name: 'Files' });
  const press = (...keys: string[]): void => keys.forEach((key) => fireEvent.keyDown(list, { key }));
  const lines = (): string[] =>
    screen
      .getAllByRole('option')
      .map((row) => `${row.getAttribute('aria-selected') === 'true' ? '>' : ''}${row.textContent}`);
  return { press, lines, onOpen, onSelect };
}

it('arrow keys pass folders, which they leave open', () => {
  const { press, lines, onSelect } = show();
  expect(lines()).toEqual(['skill://a3', 'one1', '1.md', 'two1', '2.md', '>SKILL.md']);
  press('ArrowUp', 'ArrowUp');
  expect(lines()).toEqual(['skill://a3', 'one1', '1.md', '>two1', '2.md', 'SKILL.md']);
  press('ArrowUp');
  expect(onSelect.mock.calls).toEqual([[FILES[2]], [FILES[1]]]);
  press('ArrowUp', 'ArrowUp', 'ArrowUp');
  expect(lines()).toEqual(['>skill://a3', 'one1', '1.md', 'two1', '2.md', 'SKILL.md']);
});

it('Left and Right close and open the selected folder, and Enter does both', () => {
  const { press, lines, onOpen } = show();
  press('ArrowUp', 'ArrowLeft');
  expect(lines()).toEqual(['skill://a3', 'one1', '1.md', '>two1', '2.md', 'SKILL.md']);
  press('ArrowLeft');
  expect(lines()).toEqual(['skill://a3', 'one1', '1.md', '>two1', 'SKILL.md']);
  press('ArrowRight', 'ArrowRight', 'Enter');
  expect(onOpen).toHaveBeenCalledExactlyOnceWith(FILES[2]);
  press('ArrowLeft', 'Enter');
  expect(lines()).toEqual(['skill://a3', 'one1', '1.md', '>two1', 'SKILL.md']);
  fireEvent.click(screen.getByLabelText('Closed folder'));
  expect(lines()).toEqual(['skill://a3', 'one1', '1.md', '>two1', '2.md', 'SKILL.md']);
});
