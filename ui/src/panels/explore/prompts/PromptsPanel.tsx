import { useEffect, useMemo, useRef } from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';
import { useStore } from 'zustand';
import type { PromptItem, ServerId } from '../../../contract/generated';
import { initialView } from '../../../model/lists/prompts/promptViews';
import { emptyList } from '../../../model/lists/serverList';
import { useModel, useServerPart } from '../../../model/workspace/context';
import { useFocusRequest } from '../../../model/workspace/useFocusRequest';
import { useLayout } from '../../../model/workspace/useLayout';
import { NothingSelected } from '../list/NothingSelected';
import { useListRoom } from '../../../model/workspace/useListRoom';
import { PromptList } from './PromptList';
import { PromptPane } from './PromptPane';
import panes from '../list/panes.module.css';

const PANELS = ['list', 'prompt'];
const NO_PROMPTS = emptyList<PromptItem>();

/** The prompts of one server: the list, and the selected one with its arguments and messages. */
export function PromptsPanel({ serverId }: { serverId: ServerId }) {
  const { prompts, promptViews } = useModel();
  const list = useStore(prompts, (lists) => lists[serverId] ?? NO_PROMPTS);
  const selection = useStore(promptViews, (views) => (views[serverId] ?? initialView).selection);
  const connectionId = useServerPart(serverId, (server) => server?.connection.connectionId ?? null);
  const ready = useServerPart(serverId, (server) => server?.connection.state === 'ready');
  const pane = useRef<HTMLDivElement>(null);

  useEffect(() => {
    // Each connection has its own list; the list of the last connection stays until the new one is known.
    if (ready && connectionId !== null) prompts.ensure(serverId, connectionId);
  }, [prompts, serverId, ready, connectionId]);

  const selected = useMemo(() => {
    if (selection === null) return undefined;
    const same = list.rows[selection.index];
    if (same?.item.name === selection.name) return same;
    // After the list has changed, by name alone.
    return list.rows.find(({ item }) => item.name === selection.name);
  }, [list.rows, selection]);
  /** The first argument, or “Get prompt” for a prompt without arguments. */
  const focusArguments = (): void => {
    const find = (selector: string): HTMLElement | null | undefined => pane.current?.querySelector(selector);
    (find('textarea') ?? find('[data-primary]'))?.focus();
  };

  useFocusRequest('prompts', serverId, selection !== null, focusArguments);
  const hasListRoom = useListRoom();
  const layout = useLayout('prompts', PANELS);
  return (
    <Group orientation="horizontal" className={panes.fill} data-run-scope {...layout}>
      {(selection === null || hasListRoom) && (
        <>
          <Panel id="list" defaultSize="26%" minSize="160px" groupResizeBehavior="preserve-pixel-size">
            <PromptList serverId={serverId} list={list} selected={selected} onOpen={focusArguments} />
          </Panel>
          <Separator className="pb-separator" />
        </>
      )}
      <Panel id="prompt" minSize="300px">
        <div ref={pane} className={panes.fill}>
          {selection === null || (selected === undefined && !list.known) ? (
            <NothingSelected
              list={list}
              noun="prompt"
              hint="Select a prompt to fill in its arguments and get its messages."
              onRefresh={() => void prompts.load(serverId, true)}
            />
          ) : (
            <PromptPane
              key={`${serverId} ${selection.name}`}
              serverId={serverId}
              name={selection.name}
              item={selected?.item}
            />
          )}
        </div>
      </Panel>
    </Group>
  );
}
