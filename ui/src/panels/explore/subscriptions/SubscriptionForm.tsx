import { Button, Checkbox, Stack, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Era, SubscriptionFilter } from '../../../contract/generated';
import classes from './subscriptions.module.css';

const LISTS = [
  { key: 'toolsListChanged', label: 'Tool list' },
  { key: 'promptsListChanged', label: 'Prompt list' },
  { key: 'resourcesListChanged', label: 'Resource list' },
] as const;

interface SubscriptionFormProps {
  era: Era | null;
  onOpen: (filter: SubscriptionFilter) => void;
}

/** Which changes to subscribe to. */
export function SubscriptionForm({ era, onOpen }: SubscriptionFormProps) {
  const [lists, setLists] = useState({
    toolsListChanged: true,
    promptsListChanged: false,
    resourcesListChanged: false,
  });
  const [uris, setUris] = useState('');
  const [tasks, setTasks] = useState('');
  const filter: SubscriptionFilter = {
    ...lists,
    resourceUris: linesOf(uris),
    taskIds: era === 'modern' ? linesOf(tasks) : [],
  };
  const isEmpty =
    !Object.values(lists).includes(true) && filter.resourceUris.length === 0 && filter.taskIds.length === 0;

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!isEmpty) onOpen(filter);
  }

  return (
    <form className={classes.form} onSubmit={submit} aria-label="New subscription">
      <Stack gap="sm">
        <h3 className={classes.heading}>Notify when these change</h3>
        {LISTS.map(({ key, label }) => (
          <Checkbox
            key={key}
            label={label}
            checked={lists[key]}
            onChange={(event) => setLists({ ...lists, [key]: event.currentTarget.checked })}
          />
        ))}
        <Textarea
          label="Resources"
          description="One URI per line"
          placeholder="file:///project/main.rs"
          autosize
          minRows={2}
          maxRows={6}
          value={uris}
          spellCheck={false}
          classNames={{ input: 'pb-mono' }}
          onChange={(event) => setUris(event.currentTarget.value)}
        />
        {era === 'modern' && (
          <Textarea
            label="Tasks"
            description="One task ID per line, for servers with the tasks extension"
            autosize
            minRows={1}
            maxRows={4}
            value={tasks}
            spellCheck={false}
            classNames={{ input: 'pb-mono' }}
            onChange={(event) => setTasks(event.currentTarget.value)}
          />
        )}
        <Button type="submit" disabled={isEmpty} style={{ alignSelf: 'flex-start' }}>
          Open subscription
        </Button>
      </Stack>
    </form>
  );
}

function linesOf(text: string): string[] {
  return [...new Set(text.split('\n').map((line) => line.trim()))].filter((line) => line !== '');
}
