import { Button, Checkbox, Stack, Textarea } from '@mantine/core';
import type { FormEvent } from 'react';
import type { Era, ServerId, SubscriptionFilter } from '../../../contract/generated';
import { useModel, useWorkspace } from '../../../model/workspace/context';
import { type SubscriptionDraft, newSubscription } from '../../../model/workspace/workspace';
import classes from './subscriptions.module.css';

const LISTS = [
  { key: 'toolsListChanged', label: 'Tool list' },
  { key: 'promptsListChanged', label: 'Prompt list' },
  { key: 'resourcesListChanged', label: 'Resource list' },
] as const;

interface SubscriptionFormProps {
  serverId: ServerId;
  era: Era | null;
  onOpen: (filter: SubscriptionFilter) => void;
}

/** Which changes to subscribe to. What is typed stays while another tab or server is shown. */
export function SubscriptionForm({ serverId, era, onOpen }: SubscriptionFormProps) {
  const { workspace } = useModel();
  const draft = useWorkspace(({ subscriptionDrafts }) => subscriptionDrafts[serverId] ?? newSubscription);
  const change = (part: Partial<SubscriptionDraft>): void =>
    workspace.setState(({ subscriptionDrafts }) => ({
      subscriptionDrafts: { ...subscriptionDrafts, [serverId]: { ...draft, ...part } },
    }));
  const { lists, uris, tasks } = draft;
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
            onChange={(event) => change({ lists: { ...lists, [key]: event.currentTarget.checked } })}
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
          onChange={(event) => change({ uris: event.currentTarget.value })}
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
            onChange={(event) => change({ tasks: event.currentTarget.value })}
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
