import { Loader } from '@mantine/core';
import { memo } from 'react';
import { useStore } from 'zustand';
import type { ConversationStore } from '../../../model/chat/conversation';
import { formatSize } from '../../../model/text/format';
import { Markdown } from '../../../widgets/markdown/Markdown';
import { Elapsed } from '../../../widgets/status/RecordStatus';
import classes from './items.module.css';

/** The answer that is arriving. */
export function LiveAnswerView({ conversation }: { conversation: ConversationStore }) {
  const live = useStore(conversation, (state) => state.live);
  if (live === null) return null;
  const { text, blocks } = live;
  return (
    <article className={classes.answer} aria-label={`Answer from ${live.by}`} aria-busy="true">
      <Loader size={14} className={classes.speaker} />
      <header className={classes.head}>
        <strong>{live.by}</strong>
        <Elapsed sinceAtMs={live.atMs} />
      </header>
      {live.thinking !== '' && (
        <details className={classes.thinking} open={text === ''}>
          <summary>Thinking</summary>
          <p className={classes.text}>{live.thinking.slice(-4_000)}</p>
        </details>
      )}
      {/* The last block still changes; it is laid out when it is complete. */}
      {groupsOf(blocks.complete).map((from) => (
        <Group key={from} blocks={blocks.complete} from={from} />
      ))}
      {blocks.begin < text.length && <p className={classes.text}>{text.slice(blocks.begin)}</p>}
      {live.calls.map((call, at) => (
        <p key={at} className={classes.facts}>
          Calls {call.alias} · {formatSize(call.bytes)} of arguments
        </p>
      ))}
    </article>
  );
}

/** How many blocks are drawn together: a long answer has thousands, which React would otherwise compare at each piece. */
const GROUP = 50;

/** Where each group of blocks begins. */
function groupsOf({ length }: readonly string[]): number[] {
  return Array.from({ length: Math.ceil(length / GROUP) }, (_, group) => group * GROUP);
}

interface GroupProps {
  blocks: readonly string[];
  from: number;
}

/** Some blocks of an answer. They do not change any more; the last group grows. */
const Group = memo(
  function Group({ blocks, from }: GroupProps) {
    const shown = blocks.slice(from, from + GROUP);
    return shown.map((block, at) => <Block key={from + at} text={block} />);
  },
  (one, other) => {
    const end = (props: GroupProps): number => Math.min(props.blocks.length, props.from + GROUP);
    return end(one) === end(other) && one.blocks[one.from] === other.blocks[other.from];
  },
);

const Block = memo(function Block({ text }: { text: string }) {
  return (
    <div className={classes.block}>
      <Markdown text={text} />
    </div>
  );
});
