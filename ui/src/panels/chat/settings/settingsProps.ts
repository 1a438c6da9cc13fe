import type { ChatSettings } from '../../../contract/generated';
import type { ConversationStore } from '../../../model/chat/conversation';

/** What each part of the settings of a conversation needs. */
export interface SettingsProps {
  conversation: ConversationStore;
  settings: ChatSettings;
}
