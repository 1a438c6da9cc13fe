import { Loader } from '@mantine/core';
import { memo, useMemo } from 'react';
import { useStore } from 'zustand';
import type { ConversationStore } from '../../../model/chat/conversation';
import { blocksOf } from '../../../model/chat/streamed';
import { formatSize } from '../../../model/text/format';
import { Markdown } from '../../../widgets/markdown/Markdown';
import { Elapsed } from '../../../widgets/status/RecordStatus';
import classes from './items.module.css';

/** The answer that is arriving. */
export function LiveAnswerView({ conversation }: { conversation: ConversationStore }) {
  const live = useStore(conversation, (state) => state.live);
  const text = live?.text ?? '';
  const blocks = useMemo(() => blocksOf(text), [text]);
  if (live === null) return null;
  const last = blocks.length - 1;
  return (
    <article className={classes.answer} aria-label={`Answer of ${live.by}`} aria-busy="true">
      <header className={classes.head}>
        <Loader size={12} />
        <strong>{live.by}</strong>
        <Elapsed sinceAtMs={live.atMs} />
      </header>
      {live.thinking !== '' && (
        <details className={classes.thinking} open={text === ''}>
          <summary>Thoughts</summary>
          <p className={classes.text}>{live.thinking.slice(-4_000)}</p>
        </details>
      )}
      {/* The last block still changes; it is laid out when it is complete. */}
      {blocks.map((block, at) =>
        at === last ? (
          <p key={at} className={classes.text}>
            {block}
          </p>
        ) : (
          <Block key={at} text={block} />
        ),
      )}
      {live.calls.map((call, at) => (
        <p key={at} className={classes.facts}>
          Calls {call.alias} · {formatSize(call.bytes)} of arguments
        </p>
      ))}
    </article>
  );
}

const Block = memo(function Block({ text }: { text: string }) {
  return <Markdown text={text} />;
});
