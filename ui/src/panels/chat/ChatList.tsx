import { Menu, TextInput } from '@mantine/core';
import { IconDots, IconDownload, IconGitFork, IconPencil, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import type { ChatFormat, ChatSummary } from '../../contract/generated';
import { useModel, useUi } from '../../model/workspace/context';
import { formatCount, formatDateTime } from '../../model/text/format';
import { saveBytes } from '../../widgets/bytes/saveBytes';
import { FilterInput } from '../../widgets/controls/FilterInput';
import { IconButton } from '../../widgets/controls/IconButton';
import { EmptyState } from '../../widgets/layout/EmptyState';
import { LinkButton } from '../../widgets/links/LinkButton';
import { focused } from '../../widgets/focus/focused';
import { moveInList } from '../../widgets/focus/listFocus';
import classes from './chat.module.css';

/** How many conversations are drawn at once. */
const SHOWN = 200;

/** The conversations, and a search in their texts. Arrow keys move in the list. */
export function ChatList() {
  const { chats } = useModel();
  const items = useStore(chats, (state) => state.items);
  const search = useStore(chats, (state) => state.search);
  const searched = useStore(chats, (state) => state.searched);
  const [most, setMost] = useState(SHOWN);
  return (
    <nav className={classes.list} aria-label="Conversations" data-filter-scope>
      <div className={classes.listHead}>
        <FilterInput
          label="Search conversations"
          value={search}
          onChange={(text) => chats.find(text)}
          delayMs={200}
          width="100%"
        />
      </div>
      {items?.length === 0 && (
        <EmptyState
          title={searched === '' ? 'No conversations yet' : 'No matching conversations'}
          text={searched === '' ? 'Conversations are stored on this machine.' : undefined}
        />
      )}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrows move between the conversations */}
      <ul className={classes.rows} onKeyDown={moveInList}>
        {items?.slice(0, most).map((item) => (
          <Row key={item.id} item={item} />
        ))}
      </ul>
      {items !== undefined && items.length > most && (
        <LinkButton onClick={() => setMost(most + SHOWN)}>Show more</LinkButton>
      )}
    </nav>
  );
}

function Row({ item }: { item: ChatSummary }) {
  const { ui } = useModel();
  const isSelected = useUi(({ selectedChat }) => selectedChat === item.id);
  /** `byKey`: it was renamed, or not, by a key, which leaves the focus here. */
  const [naming, setNaming] = useState<'no' | 'yes' | 'byKey'>('no');
  const title = item.title === '' ? 'New conversation' : item.title;
  if (naming === 'yes') return <Renaming item={item} onDone={(byKey) => setNaming(byKey ? 'byKey' : 'no')} />;
  return (
    <li className={classes.row} data-selected={isSelected}>
      <button
        type="button"
        ref={naming === 'byKey' ? focused : undefined}
        className={classes.rowButton}
        data-entry
        aria-current={isSelected}
        onClick={() => ui.setState({ selectedChat: item.id })}
      >
        <span className={classes.rowTitle}>{title}</span>
        <span className={classes.rowFacts} data-tone={item.waiting > 0 ? 'warn' : undefined}>
          {facts(item)}
        </span>
        {item.found !== null && <span className={classes.found}>{item.found}</span>}
      </button>
      <RowMenu item={item} title={title} onRename={() => setNaming('yes')} />
    </li>
  );
}

/** The row of a conversation while it is renamed. Escape, or leaving the field, keeps the old name. */
function Renaming({ item, onDone }: { item: ChatSummary; onDone: (byKey: boolean) => void }) {
  const { chats } = useModel();
  const [title, setTitle] = useState(item.title);
  return (
    <li className={classes.row}>
      <form
        className={classes.naming}
        onSubmit={(event) => {
          event.preventDefault();
          const name = title.trim();
          if (name !== '' && name !== item.title) void chats.rename(item.id, name);
          onDone(true);
        }}
      >
        <TextInput
          ref={focused}
          aria-label="Conversation name"
          value={title}
          maxLength={200}
          onChange={(event) => setTitle(event.currentTarget.value)}
          onBlur={() => onDone(false)}
          onKeyDown={(event) => event.key === 'Escape' && !event.nativeEvent.isComposing && onDone(true)}
        />
      </form>
    </li>
  );
}

function facts({ waiting, phase, readOnly, messages, updatedAtMs }: ChatSummary): string {
  if (waiting > 0) return `${formatCount(waiting, 'call')} waiting for you`;
  if (phase === 'writing') return 'Waiting for your answer';
  if (phase !== 'idle') return 'Running';
  // Hours and minutes on the same day, the day before that.
  const [day = '', time = ''] = formatDateTime(updatedAtMs).split(' ');
  const when = formatDateTime(Date.now()).startsWith(day) ? time.slice(0, 5) : day;
  return `${readOnly === null ? '' : 'Read-only · '}${formatCount(messages, 'message')} · ${when}`;
}

interface RowMenuProps {
  item: ChatSummary;
  title: string;
  onRename: () => void;
}

function RowMenu({ item, title, onRename }: RowMenuProps) {
  const { chats, ui } = useModel();
  const [isSure, setSure] = useState(false);

  async function save(format: ChatFormat): Promise<void> {
    const file = await chats.exported(item.id, format);
    if (file === null) return;
    const { text, fileName } = file;
    saveBytes(text, fileName, format === 'json' ? 'application/json' : 'text/markdown');
  }
  async function fork(): Promise<void> {
    const chatId = await chats.fork(item.id, null);
    if (chatId !== null) ui.setState({ selectedChat: chatId });
  }
  async function remove(): Promise<void> {
    ui.setState(({ selectedChat }) => ({ selectedChat: selectedChat === item.id ? null : selectedChat }));
    await chats.remove(item.id);
  }

  return (
    <Menu position="bottom-end" returnFocus={false} onClose={() => setSure(false)}>
      <Menu.Target>
        <IconButton icon={IconDots} label={`Actions for ${title}`} size="sm" />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconPencil size={14} />}
          disabled={item.readOnly !== null}
          onClick={onRename}
        >
          Rename…
        </Menu.Item>
        <Menu.Item leftSection={<IconGitFork size={14} />} onClick={() => void fork()}>
          Fork
        </Menu.Item>
        <Menu.Item leftSection={<IconDownload size={14} />} onClick={() => void save('markdown')}>
          Export as Markdown
        </Menu.Item>
        <Menu.Item leftSection={<IconDownload size={14} />} onClick={() => void save('json')}>
          Export as JSON
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          color="red"
          leftSection={<IconTrash size={14} />}
          closeMenuOnClick={isSure}
          onClick={() => (isSure ? void remove() : setSure(true))}
        >
          {isSure ? 'Delete permanently' : 'Delete…'}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
