import { useEffect, useMemo, useRef } from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';
import { useStore } from 'zustand';
import type { ResourceItem, ServerId, SkillItem } from '../../../contract/generated';
import { emptyList } from '../../../model/lists/serverList';
import { allSkills } from '../../../model/lists/skills/skill';
import { initialSkillView } from '../../../model/lists/skills/skillViews';
import { useModel, useServerPart } from '../../../model/workspace/context';
import { useFocusRequest } from '../../../model/workspace/useFocusRequest';
import { useLayout } from '../../../model/workspace/useLayout';
import { NothingSelected } from '../list/NothingSelected';
import { SkillList } from './SkillList';
import { SkillPane } from './SkillPane';
import panes from '../list/panes.module.css';

const PANELS = ['list', 'skill'];
const NO_SKILLS = emptyList<SkillItem>();
const NO_RESOURCES = emptyList<ResourceItem>();

/** The skills of one server, listed or found among its resources, and the selected one with its files. */
export function SkillsPanel({ serverId }: { serverId: ServerId }) {
  const { skills, resources, skillViews } = useModel();
  const listed = useStore(skills, (lists) => lists[serverId] ?? NO_SKILLS);
  const files = useStore(resources, (lists) => lists[serverId] ?? NO_RESOURCES);
  const selection = useStore(skillViews, (views) => (views[serverId] ?? initialSkillView).selection);
  const connectionId = useServerPart(serverId, (server) => server?.connection.connectionId ?? null);
  const ready = useServerPart(serverId, (server) => server?.connection.state === 'ready');
  const pane = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (!ready || connectionId === null) return;
    skills.ensure(serverId, connectionId);
    resources.ensure(serverId, connectionId);
  }, [skills, resources, serverId, ready, connectionId]);

  const list = useMemo(
    () => ({
      ...listed,
      rows: allSkills(listed.rows, files.rows),
      // Without the extension, the resources say what there is.
      known: listed.known && (listed.rows.length > 0 || listed.supported || files.known),
    }),
    [listed, files],
  );
  const selected = useMemo(() => {
    if (selection === null) return undefined;
    const same = list.rows.find(({ item }) => item.index === selection.index && item.uri === selection.uri);
    return same ?? list.rows.find(({ item }) => item.uri === selection.uri);
  }, [list.rows, selection]);

  const focusRead = (): void => pane.current?.querySelector<HTMLElement>('[data-primary]')?.focus();
  useFocusRequest('skills', serverId, selected !== undefined, focusRead);
  const again = (): void => {
    void skills.load(serverId, true);
    void resources.load(serverId, true);
  };
  const layout = useLayout('skills', PANELS);
  return (
    <Group orientation="horizontal" className={panes.fill} data-run-scope {...layout}>
      <Panel id="list" defaultSize="26%" minSize="160px">
        <SkillList
          serverId={serverId}
          list={list}
          selected={selected}
          onRefresh={again}
          onOpen={() => pane.current?.querySelector<HTMLElement>('[data-primary]')?.click()}
        />
      </Panel>
      <Separator className="pb-separator" />
      <Panel id="skill" minSize="300px">
        <div ref={pane} className={panes.fill}>
          {selected === undefined ? (
            <NothingSelected
              list={list}
              noun="skill"
              needs="the extension io.modelcontextprotocol/skills"
              hint="Select a skill to see what it is for and to read its files."
              onRefresh={again}
            />
          ) : (
            <SkillPane
              key={`${serverId} ${selected.item.uri}`}
              serverId={serverId}
              skill={selected.item}
              resources={files.rows}
            />
          )}
        </div>
      </Panel>
    </Group>
  );
}
