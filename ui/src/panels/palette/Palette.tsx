import { Spotlight, type SpotlightActionGroupData, useSpotlight } from '@mantine/spotlight';
import { IconMessageQuestion, IconSearch, IconTool } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { ServerId } from '../../contract/generated';
import { useActions } from '../../model/workspace/actions';
import type { Command, ServerCommand } from '../../model/workspace/commands';
import { useModel, useServerPart, useServers, useUi } from '../../model/workspace/context';
import { requestInWords } from '../../model/inbox/inputRequest';
import { isAppOnly } from '../../model/tools/tools';
import { shortcutText } from '../../model/workspace/shortcuts';
import { StateGlyph, stateWord } from '../../widgets/status/ConnectionStatus';
import classes from './Palette.module.css';
import { paletteStore } from './paletteStore';

/** The most results shown. */
const MOST = 60;

interface PaletteProps {
  commands: readonly Command[];
  /** Offered for the selected server. */
  serverCommands: readonly ServerCommand[];
}

/** Go to or run anything by typing part of its name. Empty while closed: a server may have thousands of tools. */
export function Palette({ commands, serverCommands }: PaletteProps) {
  const { workspace } = useModel();
  const { opened } = useSpotlight(paletteStore);
  const [chosenToolOf, setChosenToolOf] = useState<ServerId | null>(null);
  const [filled, setFilled] = useState(false);
  if (opened && !filled) setFilled(true);
  // Only now: while the palette closes, it gives the focus back to where it was.
  const onExited = (): void => {
    setFilled(false);
    setChosenToolOf(null);
    workspace.setState({ focusToolOf: chosenToolOf });
  };
  const groups = [
    useInputActions(filled),
    useServerActions(filled),
    useSelectedActions(filled, serverCommands),
    useWindowActions(filled, commands),
    useToolActions(filled, setChosenToolOf),
  ];
  return (
    <Spotlight
      store={paletteStore}
      actions={groups.filter(({ actions }) => actions.length > 0)}
      shortcut={null}
      limit={MOST}
      highlightQuery
      scrollable
      scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': 'Commands' } }}
      maxHeight={420}
      size={560}
      overlayProps={{ blur: 0, backgroundOpacity: 0.35 }}
      transitionProps={{ duration: 100, transition: 'fade', onExited }}
      classNames={{
        search: classes.search,
        action: classes.action,
        actionSection: classes.section,
        actionsGroup: classes.group,
      }}
      attributes={{ content: { 'aria-label': 'Commands' } }}
      nothingFound="No matches"
      searchProps={{
        leftSection: <IconSearch size={16} />,
        placeholder: 'Go to a server, tool or action',
        'aria-label': 'Command palette',
      }}
    />
  );
}

function useServerActions(filled: boolean): SpotlightActionGroupData {
  const items = useServers((state) => (filled ? state.items : undefined)) ?? [];
  const { select } = useActions();
  return {
    group: 'Servers',
    actions: items.map((item, i) => ({
      id: `server-${item.id}`,
      label: item.draft.name,
      keywords: stateWord(item.connection.state),
      leftSection: <StateGlyph state={item.connection.state} size={16} />,
      rightSection: (
        <span className={classes.right}>
          {stateWord(item.connection.state)}
          {i < 9 && <kbd>{shortcutText('server').replace('1…9', String(i + 1))}</kbd>}
        </span>
      ),
      onClick: () => select(item.id),
    })),
  };
}

function useSelectedActions(filled: boolean, commands: readonly ServerCommand[]): SpotlightActionGroupData {
  const model = useModel();
  const actions = useActions();
  const serverId = useUi((state) => (filled ? state.selectedServer : null));
  const server = useServerPart(serverId, (item) => item);
  return {
    group: 'Selected server',
    actions:
      server === undefined
        ? []
        : commands
            .filter(({ available }) => (available?.(server, model) ?? true) === true)
            .map(({ id, titleFor, icon: Glyph, keywords, run }) => ({
              id,
              label: titleFor(server.draft.name),
              keywords,
              leftSection: <Glyph size={16} />,
              onClick: () => run({ model, actions }, server),
            })),
  };
}

/** Pending requests of servers. */
function useInputActions(filled: boolean): SpotlightActionGroupData {
  const { inputs, workspace } = useModel();
  const items = useStore(inputs, (state) => (filled ? state.items : NONE));
  return {
    group: 'Inbox',
    actions: items.slice(0, MOST).map((item, i) => ({
      id: `input-${item.id}`,
      label: `Answer: ${requestInWords(item)}`,
      keywords: `${item.method} inbox`,
      leftSection: <IconMessageQuestion size={16} />,
      rightSection: <span className={classes.right}>{i === 0 && <kbd>{shortcutText('inbox')}</kbd>}</span>,
      onClick: () => workspace.setState({ dialog: { type: 'input', inputId: item.id } }),
    })),
  };
}

const NONE: never[] = [];

function useToolActions(filled: boolean, onChoose: (serverId: ServerId) => void): SpotlightActionGroupData {
  const { ui, tools } = useModel();
  const { show } = useActions();
  const serverId = useUi((state) => (filled ? state.selectedServer : null));
  const isReady = useServerPart(serverId, (item) => item?.connection.state === 'ready');
  const rows = useStore(tools, (lists) => (serverId === null ? undefined : lists[serverId]?.rows));
  const actions = useMemo(() => {
    if (serverId === null || !isReady || rows === undefined) return [];
    return rows
      .filter(({ item }) => item.name !== '' && !isAppOnly(item))
      .map(({ item }) => ({
        id: `tool-${item.index}`,
        label: item.name,
        keywords: item.title ?? undefined,
        leftSection: <IconTool size={16} />,
        rightSection: <span className={classes.right}>{item.title}</span>,
        onClick: () => {
          onChoose(serverId);
          show(serverId, 'explore');
          ui.setState(({ selectedTools }) => ({
            exploreTab: 'tools',
            selectedTools: { ...selectedTools, [serverId]: `${item.index}:${item.name}` },
          }));
        },
      }));
  }, [ui, show, onChoose, serverId, isReady, rows]);
  return { group: 'Tools', actions };
}

function useWindowActions(filled: boolean, commands: readonly Command[]): SpotlightActionGroupData {
  const model = useModel();
  const actions = useActions();
  return {
    group: 'Window',
    actions: commands
      .filter(({ available }) => filled && (available?.(model) ?? true))
      .map(({ id, title, icon: Glyph, keywords, shortcut, run }) => ({
        id,
        label: typeof title === 'string' ? title : title(model),
        keywords,
        leftSection: <Glyph size={16} />,
        rightSection: shortcut !== undefined && <kbd>{shortcutText(shortcut)}</kbd>,
        onClick: () => void run({ model, actions }, 0),
      })),
  };
}
