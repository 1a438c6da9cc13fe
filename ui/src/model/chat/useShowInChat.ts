import type { Seq } from '../../contract/generated';
import { useActions } from '../workspace/actions';
import { useModel } from '../workspace/context';

/** Shows the step of a conversation that a record belongs to. Rejects with a `CommandFailure` if there is none any more. */
export function useShowInChat(): (seq: Seq) => Promise<void> {
  const { host, chats, compare, servers, ui } = useModel();
  const { show } = useActions();
  return async (seq) => {
    const place = await host.call('chat_locate', { seq });
    // The chat is a mode of a server, whichever it is.
    const serverId = ui.getState().selectedServer ?? servers.getState().items?.[0]?.id;
    if (serverId !== undefined) show(serverId, 'chat');
    compare.hide();
    ui.setState({ selectedChat: place.chatId, chatView: 'conversation' });
    chats.want(place);
  };
}
