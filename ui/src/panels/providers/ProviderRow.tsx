import { Button } from '@mantine/core';
import { IconAlertCircle, IconCheck } from '@tabler/icons-react';
import { useStore } from 'zustand';
import type { ProviderItem } from '../../contract/generated';
import type { ProviderCheck } from '../../model/inbox/sampling/providers';
import { useModel } from '../../model/workspace/context';
import { SettingsRow } from '../../widgets/rows/SettingsRow';
import classes from './providers.module.css';

/** A model provider, its test, and what can be done with it. */
export function ProviderRow({ item, onEdit }: { item: ProviderItem; onEdit: () => void }) {
  const { providers } = useModel();
  const check = useStore(providers, ({ checks }) => checks[item.id]);
  const { defaultModel } = item;
  const api = item.api === 'anthropic' ? 'Anthropic Messages' : 'Chat Completions';
  const model = defaultModel === null ? 'No default model' : `Default model ${defaultModel}`;
  return (
    <SettingsRow
      name={item.name}
      lines={[
        <>
          {api} · <code>{item.baseUrl}</code>
        </>,
        `${model} · ${item.hasKey ? 'key in the vault' : 'no key'}`,
      ]}
      actions={
        <Button
          size="compact-sm"
          variant="default"
          loading={check?.type === 'running'}
          data-tip={
            defaultModel === null
              ? 'Requests the list of its models'
              : `Requests at most 16 tokens from ${defaultModel}`
          }
          onClick={() =>
            void (defaultModel === null ? providers.list(item.id) : providers.test(item.id, defaultModel))
          }
        >
          Test
        </Button>
      }
      onEdit={onEdit}
      onRemove={() => providers.remove(item.id)}
    >
      {check !== undefined && <Result check={check} />}
    </SettingsRow>
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
