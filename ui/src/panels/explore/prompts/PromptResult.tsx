import { Button, Menu } from '@mantine/core';
import { IconMessageForward } from '@tabler/icons-react';
import { useStore } from 'zustand';
import type { Exchange } from '../../../model/exchange/exchange';
import { shownExchange } from '../../../model/exchange/exchanges';
import type { ExchangeKey, PromptRequest } from '../../../model/exchange/request';
import { handoverOf } from '../../../model/lists/prompts/promptHandover';
import { messagesAsMarkdown } from '../../../model/lists/prompts/promptText';
import { useActions } from '../../../model/workspace/actions';
import { useHost, useModel } from '../../../model/workspace/context';
import { CopyMenu } from '../result/CopyMenu';
import { ExchangeResult } from '../result/ExchangeResult';

interface PromptResultProps {
  of: ExchangeKey<PromptRequest>;
  onAgain: (request: PromptRequest) => void;
}

/** What the shown request of a prompt brought. */
export function PromptResult({ of, onAgain }: PromptResultProps) {
  const { exchanges } = useModel();
  const host = useHost();
  const exchange = useStore(exchanges, (state) => shownExchange(state, of));
  if (exchange === undefined) return null;
  const brought = handoverOf(exchange);
  return (
    <ExchangeResult
      key={exchange.id}
      exchange={exchange}
      onCancel={() => void exchanges.cancel(exchange)}
      onAgain={() => onAgain(exchange.request)}
      actions={
        <>
          <UseInChat exchange={exchange} />
          <CopyMenu exchange={exchange}>
            {(copy) =>
              brought !== null && (
                <Menu.Item onClick={() => copy(() => messagesAsMarkdown(host, brought.messages))}>
                  Messages (Markdown)
                </Menu.Item>
              )
            }
          </CopyMenu>
        </>
      }
    />
  );
}

/** Hands the messages over to the chat; absent if there are none. */
function UseInChat({ exchange }: { exchange: Exchange<PromptRequest> }) {
  const { promptHandover } = useModel();
  const { show } = useActions();
  const brought = handoverOf(exchange);
  if (brought === null) return null;
  return (
    <Button
      variant="default"
      leftSection={<IconMessageForward size={14} />}
      onClick={() => {
        promptHandover.offer(brought);
        show(brought.serverId, 'chat');
      }}
    >
      Use in Chat
    </Button>
  );
}
