import { IconCheck, IconCopy, IconQuestionMark, IconRobot, IconUser, type Icon } from '@tabler/icons-react';
import type { PromptMessageItem } from '../../../contract/generated';
import { ContentView } from '../../../content/ContentView';
import { contentAsText, roleInWords } from '../../../model/lists/prompts/promptText';
import { useHost } from '../../../model/workspace/context';
import { IconButton } from '../../../widgets/controls/IconButton';
import { useCopy } from '../../../widgets/controls/useCopy';
import { Bounded } from './Bounded';
import classes from './result.module.css';

const ROLES: Readonly<Record<string, Icon | undefined>> = { user: IconUser, assistant: IconRobot };
/** The longest role that is shown, in characters. */
const MAX_ROLE = 100;

/** The messages of a prompt as a conversation. */
export function Messages({ items, name }: { items: readonly PromptMessageItem[]; name: string }) {
  return (
    <div role="list" aria-label="Messages">
      <Bounded items={items} noun="message">
        {(message, index) => <Message message={message} index={index} count={items.length} name={name} />}
      </Bounded>
    </div>
  );
}

interface MessageProps {
  message: PromptMessageItem;
  index: number;
  count: number;
  name: string;
}

function Message({ message, index, count, name }: MessageProps) {
  const host = useHost();
  const { role, content } = message;
  const Glyph = (Object.hasOwn(ROLES, role) ? ROLES[role] : undefined) ?? IconQuestionMark;
  const { words, isCopied, copy } = useCopy('Copy message');
  return (
    <div className={classes.message} role="listitem" data-role={role}>
      <ContentView
        item={content}
        index={index}
        count={count}
        name={name}
        fill={false}
        lead={
          <>
            <Glyph size={14} className={classes.roleGlyph} aria-hidden />
            <h3 className={classes.role}>{roleInWords(role).slice(0, MAX_ROLE)}</h3>
          </>
        }
        actions={
          <IconButton
            icon={isCopied ? IconCheck : IconCopy}
            label={words}
            onClick={() => void copy(() => contentAsText(host, content))}
          />
        }
      />
    </div>
  );
}
