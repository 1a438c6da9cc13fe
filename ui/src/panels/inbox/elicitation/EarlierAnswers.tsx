import { Button, Menu } from '@mantine/core';
import { IconHistory, IconTrash } from '@tabler/icons-react';
import { useMemo } from 'react';
import type { ServerId } from '../../../contract/generated';
import {
  answerInWords,
  offeredAnswers,
  withoutAnswers,
} from '../../../model/inbox/elicitation/earlierAnswers';
import { formatTime } from '../../../model/text/format';
import type { JsonObject } from '../../../model/text/json';
import { useModel, useUi } from '../../../model/workspace/context';
import classes from '../InputDialog.module.css';

interface EarlierAnswersProps {
  serverId: ServerId;
  serverName: string;
  /** The params of the request. */
  params: JsonObject;
  content: JsonObject;
  /** Receives the values to fill in. */
  onContent: (content: JsonObject) => void;
}

/** What was answered to this server before, as far as it fits the fields. */
export function EarlierAnswers({ serverId, serverName, params, content, onContent }: EarlierAnswersProps) {
  const { ui } = useModel();
  const earlierAnswers = useUi((state) => state.earlierAnswers);
  const keeps = useUi((state) => state.keepsAnswers);
  const offered = useMemo(
    () => offeredAnswers({ earlierAnswers }, serverId, params, content),
    [earlierAnswers, serverId, params, content],
  );
  const hasAny = (earlierAnswers[serverId]?.length ?? 0) > 0;
  if (!hasAny && keeps) return null;
  return (
    <Menu position="bottom-end" width={340}>
      <Menu.Target>
        <Button variant="subtle" color="gray" size="compact-xs" leftSection={<IconHistory size={14} />}>
          Earlier answers
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {offered.length === 0 && <Menu.Label>No earlier answers for these fields</Menu.Label>}
        {offered.map((answer) => {
          const words = answerInWords(answer.content);
          return (
            <Menu.Item key={words} onClick={() => onContent(answer.content)}>
              <span className={`${classes.earlier} pb-ellipsis`}>{words}</span>
              <span className={`${classes.fainter} pb-num`}>{formatTime(answer.atMs).slice(0, 8)}</span>
            </Menu.Item>
          );
        })}
        <Menu.Divider />
        {hasAny && (
          <Menu.Item
            leftSection={<IconTrash size={14} />}
            onClick={() => ui.setState((state) => withoutAnswers(state, serverId))}
          >
            Forget the answers to {serverName}
          </Menu.Item>
        )}
        <Menu.Item onClick={() => ui.setState({ keepsAnswers: !keeps })}>
          {keeps ? 'Stop saving answers' : 'Save answers for reuse'}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
