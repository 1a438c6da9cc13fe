import { type KeyboardEvent, useMemo } from 'react';
import { useStore } from 'zustand';
import type { ServerId } from '../../../contract/generated';
import { type TreeRow, buildTree, visibleRows } from '../../../model/lists/resources/resourceTree';
import { type SkillFile, fileRow } from '../../../model/lists/skills/skill';
import { initialSkillView } from '../../../model/lists/skills/skillViews';
import { useModel } from '../../../model/workspace/context';
import { VirtualRows } from '../../../widgets/rows/VirtualRows';
import { FolderRow, ResourceRowView } from '../resources/rows';
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

/** The files of a skill as a tree of folders. */
export function SkillFiles({ serverId, files, isDynamic, selected, onSelect, onOpen }: SkillFilesProps) {
  const { skillViews } = useModel();
  const closed = useStore(skillViews, (views) => (views[serverId] ?? initialSkillView).closed);
  const tree = useMemo(() => buildTree(files.map((file, index) => fileRow(file, index))), [files]);
  const lines = useMemo(() => visibleRows(tree, closed), [tree, closed]);
  const at = lines.findIndex((line) => line.type === 'resource' && line.row.item.uri === selected);
  const toggle = (line: TreeRow | undefined): void => {
    if (line?.type === 'folder') skillViews.toggleFolder(serverId, line.key);
  };
  /** Left closes the folder of the selected file; a closed folder is opened by a click or Enter. */
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowLeft' || at < 0) return;
    const depth = lines[at]?.depth ?? 0;
    const parent = lines.slice(0, at).findLast((line) => line.type === 'folder' && line.depth < depth);
    if (parent === undefined) return;
    event.preventDefault();
    toggle(parent);
  };
  return (
    <section className={classes.files} aria-label="Skill files">
      <div className={classes.rows} onKeyDown={onKeyDown} role="presentation">
        <VirtualRows
          label="Files"
          count={lines.length}
          rowSize="row"
          keyOf={(index) => keyOf(lines[index]) ?? index}
          onRange={nothing}
          generation={serverId}
          selected={at < 0 ? null : at}
          onSelect={(index) => {
            const line = lines[index];
            if (line?.type === 'resource') onSelect(line.row.item.uri);
            else toggle(line);
          }}
          onOpen={(index) => {
            const line = lines[index];
            if (line?.type === 'resource') onOpen(line.row.item.uri);
          }}
          follow={false}
          reveal={null}
          empty={null}
        >
          {(index) => {
            const line = lines[index];
            if (line === undefined) return null;
            if (line.type === 'folder') return <FolderRow line={line} onToggle={nothing} />;
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
