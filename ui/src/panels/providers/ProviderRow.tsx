import { Button, Group } from '@mantine/core';
import { IconAlertCircle, IconCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import type { CommandError, ProviderItem } from '../../contract/generated';
import type { ProviderCheck } from '../../model/inbox/sampling/providers';
import { commandError } from '../../model/store/errors';
import { useModel } from '../../model/workspace/context';
import { CommandAlert } from '../../widgets/failure/CommandAlert';
import classes from './providers.module.css';

/** A model provider, its test, and what can be done with it. */
export function ProviderRow({ item, onEdit }: { item: ProviderItem; onEdit: () => void }) {
  const { providers } = useModel();
  const check = useStore(providers, ({ checks }) => checks[item.id]);
  const [removing, setRemoving] = useState(false);
  const [error, setError] = useState<CommandError | null>(null);
  const busy = check?.type === 'running';
  const { defaultModel } = item;

  return (
    <li className={classes.row} aria-label={item.name}>
      <div className={classes.what}>
        <b className="pb-ellipsis">{item.name}</b>
        <span className={`${classes.dim} pb-ellipsis`}>
          {item.api === 'anthropic' ? 'Anthropic Messages' : 'Chat Completions'} · <code>{item.baseUrl}</code>
        </span>
        <span className={`${classes.dim} pb-ellipsis`}>
          {defaultModel === null ? 'No default model' : `Default model ${defaultModel}`} ·{' '}
          {item.hasKey ? 'key in the vault' : 'no key'}
        </span>
      </div>
      <Group gap={4} wrap="nowrap">
        {removing ? (
          <>
            <Button size="compact-sm" variant="default" onClick={() => setRemoving(false)}>
              Keep
            </Button>
            <Button
              size="compact-sm"
              color="red"
              onClick={() => {
                providers.remove(item.id).catch((thrown: unknown) => setError(commandError(thrown)));
              }}
            >
              Remove
            </Button>
          </>
        ) : (
          <>
            <Button
              size="compact-sm"
              variant="default"
              loading={busy}
              data-tip={
                defaultModel === null
                  ? 'Requests the list of its models'
                  : `Asks ${defaultModel} for at most 16 tokens`
              }
              onClick={() =>
                void (defaultModel === null ? providers.list(item.id) : providers.test(item.id, defaultModel))
              }
            >
              Test
            </Button>
            <Button size="compact-sm" variant="subtle" color="gray" onClick={onEdit}>
              Edit
            </Button>
            <Button size="compact-sm" variant="subtle" color="gray" onClick={() => setRemoving(true)}>
              Remove…
            </Button>
          </>
        )}
      </Group>
      {check !== undefined && <Result check={check} />}
      {error !== null && <CommandAlert error={error} onClose={() => setError(null)} />}
    </li>
  );
}

function Result({ check }: { check: ProviderCheck }) {
  const { workspace } = useModel();
  switch (check.type) {
    case 'running':
      return null;
    case 'works':
      return (
        <p className={classes.result} data-tone="ok" role="status">
          <IconCheck size={14} aria-hidden /> {check.words}
        </p>
      );
    case 'failed':
      return (
        <p className={classes.result} data-tone="error" role="alert">
          <IconAlertCircle size={14} aria-hidden />
          <span>
            {check.failure.cause} {check.failure.next}
            {check.failure.cause.includes('vault') && (
              <Button
                variant="subtle"
                size="compact-xs"
                onClick={() => workspace.setState({ vaultOpen: true })}
              >
                Open the vault…
              </Button>
            )}
          </span>
        </p>
      );
  }
}
