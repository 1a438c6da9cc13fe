import { Button, Menu } from '@mantine/core';
import { IconBookmark, IconDeviceFloppy, IconTrash } from '@tabler/icons-react';
import { useMemo } from 'react';
import {
  cannedProblem,
  cannedTexts,
  withCanned,
  withoutCanned,
} from '../../../model/inbox/sampling/cannedAnswers';
import type { Conversation } from '../../../model/inbox/sampling/conversation';
import { isObject, parseJson, writeJson } from '../../../model/text/json';
import { useModel, useUi } from '../../../model/workspace/context';
import dialog from '../InputDialog.module.css';

interface CannedAnswersProps {
  conversation: Conversation;
  /** The answer as JSON text. */
  text: string;
  onText: (text: string) => void;
}

/** Texts that fill in the answer, and the way to save the one that is there. */
export function CannedAnswers({ conversation, text, onText }: CannedAnswersProps) {
  const { ui } = useModel();
  const cannedAnswers = useUi((state) => state.cannedAnswers);
  const texts = useMemo(() => cannedTexts({ cannedAnswers }, conversation), [cannedAnswers, conversation]);
  const written = useMemo(() => textOf(text), [text]);
  const problem = written === null ? null : cannedProblem({ cannedAnswers }, written);
  const fill = (next: string): void => {
    const parsed = parseJson(text);
    const answer =
      parsed.ok && isObject(parsed.value) ? parsed.value : { role: 'assistant', model: 'written-by-hand' };
    onText(writeJson({ ...answer, content: { type: 'text', text: next }, stopReason: 'endTurn' }));
  };
  return (
    <Menu position="bottom-end" width={300}>
      <Menu.Target>
        <Button variant="subtle" color="gray" size="compact-xs" leftSection={<IconBookmark size={14} />}>
          Canned answers
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {texts.map(({ name, text: canned, isOwn }) => (
          <Menu.Item key={`${isOwn} ${name}`} onClick={() => fill(canned)}>
            <span className={`${dialog.earlier} pb-ellipsis`}>{name}</span>
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconDeviceFloppy size={14} />}
          disabled={written === null || problem !== null}
          onClick={() => written !== null && ui.setState((state) => withCanned(state, written))}
        >
          {problem === null ? 'Save this answer' : `Save this answer: ${problem}`}
        </Menu.Item>
        {texts
          .filter(({ isOwn }) => isOwn)
          .map(({ name }) => (
            <Menu.Item
              key={name}
              leftSection={<IconTrash size={14} />}
              onClick={() => ui.setState((state) => withoutCanned(state, name))}
            >
              <span className={`${dialog.earlier} pb-ellipsis`}>Delete “{name}”</span>
            </Menu.Item>
          ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** The text of an answer that is one text; null for any other. */
function textOf(text: string): string | null {
  const parsed = parseJson(text);
  const content = parsed.ok && isObject(parsed.value) ? parsed.value['content'] : undefined;
  const first: unknown = Array.isArray(content) && content.length === 1 ? content[0] : content;
  return isObject(first) && typeof first['text'] === 'string' && first['text'].trim() !== ''
    ? first['text']
    : null;
}
