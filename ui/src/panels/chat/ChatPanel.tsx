import { Button } from '@mantine/core';
import { IconAdjustments, IconColumns2, IconPlus } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { ChatId, ChatSettings, ServerId } from '../../contract/generated';
import { FRESH_SETTINGS } from '../../model/chat/chats';
import { type ConversationStore, NOTHING, openConversation } from '../../model/chat/conversation';
import { useModel, useUi } from '../../model/workspace/context';
import type { ChatView } from '../../model/workspace/uiState';
import { useListRoom } from '../../model/workspace/useListRoom';
import { IconButton } from '../../widgets/controls/IconButton';
import { Segments } from '../../widgets/controls/Segments';
import { CommandAlert } from '../../widgets/failure/CommandAlert';
import { Bar, BarEnd } from '../../widgets/layout/Bar';
import { EmptyState } from '../../widgets/layout/EmptyState';
import { Pane } from '../../widgets/layout/Pane';
import { ChatList } from './ChatList';
import { ComparePanel } from './compare/ComparePanel';
import { ConversationView } from './ConversationView';
import { AnswersChoice } from './settings/AnswersChoice';
import { ChatSettingsPane } from './settings/ChatSettingsPane';
import classes from './chat.module.css';

const VIEWS: readonly { value: ChatView; label: string }[] = [
  { value: 'conversation', label: 'Conversation' },
  { value: 'operations', label: 'Operations' },
  { value: 'raw', label: 'Raw' },
];

interface ChatPanelProps {
  serverId: ServerId;
  /** The switch between the modes; it comes first in the bar. */
  lead: ReactNode;
}

/** Conversations with a model, or with the user in its place, that use the tools of several servers. */
export function ChatPanel({ lead }: ChatPanelProps) {
  const { ui, chats, compare, events } = useModel();
  const isComparing = useStore(compare, ({ isOpen }) => isOpen);
  const error = useStore(chats, (state) => state.error);
  const selected = useUi((state) => state.selectedChat);
  const sideOpen = useUi((state) => state.chatSideOpen);
  const view = useUi((state) => state.chatView);
  const fresh = useFresh();
  const begin = useBegin(fresh);
  const conversation = useConversation(selected);
  // In a small window the conversation takes the place of the list while a request of a server is answered.
  const hasList = useListRoom() || conversation === null;
  useEffect(() => void chats.refresh(), [chats]);
  useEffect(() => events.onResync(() => conversation?.reopen()), [events, conversation]);
  const hasSide = sideOpen && conversation !== null && !isComparing;
  usePromptHandover(conversation, begin);
  useHandedText(conversation, selected, begin);

  return (
    <Pane label="Chat">
      <Bar>
        {lead}
        {conversation !== null && !isComparing && (
          <Segments
            label="View"
            value={view}
            onChange={(chatView) => ui.setState({ chatView })}
            segments={VIEWS}
          />
        )}
        <BarEnd>
          {conversation !== null && !isComparing && <AnswersChoice conversation={conversation} />}
          <IconButton
            icon={IconColumns2}
            label="Compare models or servers"
            pressed={isComparing}
            onClick={() => {
              if (isComparing) compare.hide();
              else
                void fresh().then((settings) => compare.open(conversation?.getState().settings ?? settings));
            }}
          />
          {!isComparing && (
            <IconButton
              icon={IconAdjustments}
              label="Model, tools and rules"
              pressed={sideOpen}
              onClick={() => ui.setState({ chatSideOpen: !sideOpen })}
            />
          )}
          <IconButton icon={IconPlus} label="New conversation" onClick={() => void begin()} />
        </BarEnd>
      </Bar>
      {error !== null && <CommandAlert error={error} inPane onClose={() => chats.dismissError()} />}
      <div className={classes.columns} data-list={hasList && !isComparing} data-side={hasSide}>
        {hasList && !isComparing && <ChatList />}
        {isComparing ? (
          <ComparePanel />
        ) : conversation === null ? (
          <EmptyState
            title="Talk to a model that uses your servers"
            text="It can use the tools you choose, and every call needs your approval. Without a model, you can answer in its place: choose the tools and write the answers."
          >
            <Button leftSection={<IconPlus size={14} />} onClick={() => void begin()}>
              Start a conversation
            </Button>
          </EmptyState>
        ) : (
          <ConversationView key={`view ${conversation.chatId}`} conversation={conversation} />
        )}
        {hasSide && <ChatSettingsPane key={`settings ${conversation.chatId}`} conversation={conversation} />}
      </div>
    </Pane>
  );
}

/** The conversation, open as long as it is shown. */
function useConversation(chatId: ChatId | null): ConversationStore | null {
  const { host, ui } = useModel();
  const [open, setOpen] = useState<ConversationStore | null>(null);
  useEffect(() => {
    if (chatId === null) return;
    const conversation = openConversation(host, chatId);
    setOpen(conversation);
    // One that was never used is not stored, so it is gone after a restart.
    const stop = conversation.subscribe(({ summary, error }) => {
      if (summary !== undefined || error?.code !== 'notFound') return;
      ui.setState(({ selectedChat }) => ({ selectedChat: selectedChat === chatId ? null : selectedChat }));
    });
    return () => {
      stop();
      conversation.close();
      setOpen(null);
    };
  }, [host, ui, chatId]);
  return open?.chatId === chatId ? open : null;
}

const NO_CONVERSATION = createStore(() => NOTHING);

/** Whether a conversation takes what is handed over, which would be lost in one that is gone or read-only; undefined until it is known. */
function useTakes(conversation: ConversationStore | null): boolean | undefined {
  return useStore(conversation ?? NO_CONVERSATION, ({ summary }) => summary && summary.readOnly === null);
}

/** The settings of a new conversation: the tools of all connected servers, and the first model that is set up. */
function useFresh(): () => Promise<ChatSettings> {
  const { providers, servers } = useModel();
  return async () => {
    await providers.refresh();
    const ready = (servers.getState().items ?? []).filter(({ connection }) => connection.state === 'ready');
    const provider = providers.getState().items?.find(({ defaultModel }) => defaultModel !== null);
    const model = provider?.defaultModel;
    return {
      ...FRESH_SETTINGS,
      servers: ready.map(({ id }) => id),
      answers:
        provider === undefined || model === null || model === undefined
          ? { type: 'manual' }
          : { type: 'model', providerId: provider.id, model },
    };
  };
}

/** Begins a conversation, and shows it. */
function useBegin(fresh: () => Promise<ChatSettings>): () => Promise<ChatId | null> {
  const { chats, compare, ui } = useModel();
  return async () => {
    const chatId = await chats.create(await fresh());
    if (chatId !== null) {
      ui.setState({ selectedChat: chatId });
      compare.hide();
    }
    return chatId;
  };
}

/** Takes a prompt that is handed over: it is attached to the next message. */
function usePromptHandover(
  conversation: ConversationStore | null,
  begin: () => Promise<ChatId | null>,
): void {
  const { promptHandover } = useModel();
  const waits = useStore(promptHandover, ({ waiting }) => waiting !== null);
  const selected = useUi((state) => state.selectedChat);
  const takes = useTakes(conversation);
  useEffect(() => {
    if (!waits) return;
    if (conversation === null || takes !== true) {
      // Attached once the conversation is open.
      if (selected === null || takes === false) void begin();
      return;
    }
    const prompt = promptHandover.take();
    if (prompt === null || prompt.responseSeq === null) return;
    void conversation.run('chat_attach', {
      serverId: prompt.serverId,
      source: { type: 'received', name: prompt.prompt, seq: prompt.responseSeq },
    });
    // Each render makes another `begin`.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [waits, conversation, takes, selected, promptHandover]);
}

/** Takes a text that is handed over by an app: it becomes part of the draft. */
function useHandedText(
  conversation: ConversationStore | null,
  selected: ChatId | null,
  begin: () => Promise<ChatId | null>,
): void {
  const { chats } = useModel();
  const takes = useTakes(conversation);
  const waits = useStore(chats, ({ handed }) => handed !== null);
  useEffect(() => {
    if (!waits) return;
    if (selected === null || takes === false) void begin();
    else if (takes === true) chats.takeHanded(selected);
    // Each render makes another `begin`.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [waits, takes, selected, chats]);
}
