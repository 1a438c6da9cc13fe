import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { ServerId } from '../../../contract/generated';
import { type TreeRow, buildTree, visibleRows } from '../../../model/lists/resources/resourceTree';
import { type SkillFile, fileRow } from '../../../model/lists/skills/skill';
import { initialSkillView } from '../../../model/lists/skills/skillViews';
import { useModel } from '../../../model/workspace/context';
import { VirtualRows } from '../../../widgets/rows/VirtualRows';
import { FolderRow, ResourceRowView } from '../resources/rows';
import { onTreeKey } from '../resources/treeKeys';
import panes from '../list/panes.module.css';
import classes from './skills.module.css';

interface SkillFilesProps {
  serverId: ServerId;
  files: SkillFile[];
  /** Whether the server generates the files, so that only `SKILL.md` is known. */
  isDynamic: boolean;
  /** The URI of the selected file. */
  selected: string;
  onSelect: (uri: string) => void;
  /** Enter. */
  onOpen: (uri: string) => void;
}

const nothing = (): void => {};

/** The files of a skill as a tree of folders. A folder can be selected too, which leaves the shown file as it is. */
export function SkillFiles({ serverId, files, isDynamic, selected, onSelect, onOpen }: SkillFilesProps) {
  const { skillViews } = useModel();
  const closed = useStore(skillViews, (views) => (views[serverId] ?? initialSkillView).closed);
  const tree = useMemo(() => buildTree(files.map((file, index) => fileRow(file, index))), [files]);
  const lines = useMemo(() => visibleRows(tree, closed), [tree, closed]);
  const [folder, setFolder] = useState<string | null>(null);
  const folderAt = lines.findIndex((line) => line.type === 'folder' && line.key === folder);
  const fileAt = lines.findIndex((line) => line.type === 'resource' && line.row.item.uri === selected);
  const at = folderAt < 0 ? fileAt : folderAt;
  const reveal = useMemo(() => (at < 0 ? null : { index: at }), [at]);
  const select = (index: number): void => {
    const line = lines[index];
    if (line === undefined) return;
    setFolder(line.type === 'folder' ? line.key : null);
    if (line.type === 'resource') onSelect(line.row.item.uri);
  };
  const toggle = (key: string): void => skillViews.toggleFolder(serverId, key);
  const open = (index: number): void => {
    const line = lines[index];
    if (line?.type === 'folder') toggle(line.key);
    else if (line !== undefined) onOpen(line.row.item.uri);
  };
  return (
    <section className={panes.pane} aria-label="Skill files">
      <div
        className={classes.rows}
        onKeyDown={(event) => onTreeKey(event, { lines, at, onSelect: select, onToggle: toggle })}
        role="presentation"
      >
        <VirtualRows
          label="Files"
          count={lines.length}
          rowSize="row"
          keyOf={(index) => keyOf(lines[index]) ?? index}
          onRange={nothing}
          generation={serverId}
          selected={at < 0 ? null : at}
          onSelect={select}
          onOpen={open}
          follow={false}
          reveal={reveal}
          empty={null}
        >
          {(index) => {
            const line = lines[index];
            if (line === undefined) return null;
            if (line.type === 'folder') return <FolderRow line={line} onToggle={() => toggle(line.key)} />;
            return (
              <ResourceRowView
                item={line.row.item}
                label={line.label}
                depth={line.depth}
                isInTree
                isChanged={false}
                isSubscribed={false}
              />
            );
          }}
        </VirtualRows>
      </div>
      {isDynamic && (
        <p className={classes.note}>The server generates the files of this skill and lists none.</p>
      )}
    </section>
  );
}

function keyOf(line: TreeRow | undefined): string | undefined {
  if (line === undefined) return undefined;
  return line.type === 'folder' ? line.key : `file ${line.row.item.index}`;
}
