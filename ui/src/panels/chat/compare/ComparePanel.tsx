import { Button, Textarea } from '@mantine/core';
import { IconColumnInsertRight, IconPlayerStop, IconSend } from '@tabler/icons-react';
import type { KeyboardEvent } from 'react';
import { useStore } from 'zustand';
import { FRESH_SETTINGS } from '../../../model/chat/chats';
import { MOST_COLUMNS } from '../../../model/chat/compare';
import { useModel } from '../../../model/workspace/context';
import { fixedText } from '../../../model/workspace/shortcuts';
import { focused } from '../../../widgets/focus/focused';
import { CompareColumn } from './CompareColumn';
import classes from './compare.module.css';

/** One prompt for several models or sets of servers, side by side. */
export function ComparePanel() {
  const { compare } = useModel();
  const columns = useStore(compare, (state) => state.columns);
  const prompt = useStore(compare, (state) => state.prompt);
  const isSending = useStore(compare, (state) => state.isSending);
  const canSend = prompt.trim() !== '' && columns.length > 0;

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      event.stopPropagation();
      void compare.send();
    }
  }

  return (
    <section className={classes.compare} aria-label="Compare">
      <div className={classes.columns}>
        {columns.map((column, at) => (
          <CompareColumn key={column.chatId} conversation={column} number={at + 1} />
        ))}
      </div>
      <div className={classes.prompt}>
        <Textarea
          aria-label="Prompt for all columns"
          placeholder="One prompt for all columns"
          value={prompt}
          autosize
          minRows={2}
          maxRows={8}
          ref={focused}
          onChange={({ currentTarget: { value } }) => compare.write(value)}
          onKeyDown={onKeyDown}
        />
        <div className={classes.bar}>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconColumnInsertRight size={14} />}
            disabled={columns.length >= MOST_COLUMNS}
            onClick={() => void compare.add(columns.at(-1)?.getState().settings ?? FRESH_SETTINGS)}
          >
            Add a column
          </Button>
          <span className="pb-grow" />
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPlayerStop size={14} />}
            onClick={() => compare.stop()}
          >
            Stop all
          </Button>
          <span className={classes.facts}>{fixedText('run')}</span>
          <Button
            size="compact-sm"
            leftSection={<IconSend size={14} />}
            disabled={!canSend}
            loading={isSending}
            onClick={() => void compare.send()}
          >
            Send to all
          </Button>
        </div>
      </div>
    </section>
  );
}
