import { Autocomplete, Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useStore } from 'zustand';
import type { CommandError, ProviderApi, ProviderItem } from '../../contract/generated';
import { type ProviderPreset, modelFacts } from '../../model/inbox/sampling/providers';
import { commandError } from '../../model/store/errors';
import { formatCount } from '../../model/text/format';
import { useModel } from '../../model/workspace/context';
import { Segments } from '../../widgets/controls/Segments';
import { CommandAlert } from '../../widgets/failure/CommandAlert';
import { focused } from '../../widgets/focus/focused';
import { CancelButton, useUnsaved } from '../../widgets/layout/GuardedModal';
import classes from './providers.module.css';

/** How many models are offered at once. */
const OFFERED = 100;

interface ProviderFormProps {
  /** The provider that is edited; null for a new one. */
  item: ProviderItem | null;
  /** The values to start from. */
  preset: ProviderPreset;
  onClose: () => void;
}

/** The settings of a model provider. A new one is saved before its models are listed. */
export function ProviderForm({ item, preset, onClose }: ProviderFormProps) {
  const { providers, workspace } = useModel();
  const [saved, setSaved] = useState(item);
  const [name, setName] = useState(preset.name);
  const [api, setApi] = useState<ProviderApi>(preset.api);
  const [baseUrl, setBaseUrl] = useState(preset.baseUrl);
  const [key, setKey] = useState('');
  const [model, setModel] = useState(item?.defaultModel ?? '');
  const entered = { name, api, baseUrl, key, model };
  /** What there was at first, or when it was last saved. */
  const [before, setBefore] = useState(entered);
  useUnsaved(JSON.stringify(entered) !== JSON.stringify(before));
  const [error, setError] = useState<CommandError | null>(null);
  const [busy, setBusy] = useState(false);
  const known = useStore(providers, ({ items }) => items?.find(({ id }) => id === saved?.id));
  const check = useStore(providers, ({ checks }) => (saved === null ? undefined : checks[saved.id]));
  const models = known?.models ?? null;
  const hasKey = known?.hasKey === true;
  const lostKeyOf = hasKey && key === '' ? otherHost(known.baseUrl, baseUrl) : null;
  const facts = models?.find(({ id }) => id === model);

  async function save(): Promise<ProviderItem | null> {
    setBusy(true);
    setError(null);
    try {
      const providerId = await providers.save({
        providerId: saved?.id ?? null,
        name,
        api,
        baseUrl,
        key: key === '' ? { type: 'keep' } : { type: 'set', text: key },
        defaultModel: model.trim() === '' ? null : model.trim(),
      });
      setKey('');
      setBefore({ ...entered, key: '' });
      const next = providers.getState().items?.find(({ id }) => id === providerId) ?? null;
      setSaved(next);
      return next;
    } catch (thrown) {
      setError(commandError(thrown));
      return null;
    } finally {
      setBusy(false);
    }
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if ((await save()) !== null) onClose();
  }
  async function list(): Promise<void> {
    const provider = await save();
    if (provider !== null) await providers.list(provider.id);
  }

  return (
    <form onSubmit={(event) => void submit(event)} aria-label="Model provider">
      <Stack gap="sm">
        <TextInput
          label="Name"
          value={name}
          maxLength={100}
          ref={focused}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Segments
          label="API"
          value={api}
          onChange={(next) => setApi(next)}
          segments={[
            { value: 'anthropic', label: 'Anthropic Messages' },
            { value: 'chatCompletions', label: 'Chat Completions (OpenAI and compatible)' },
          ]}
        />
        <TextInput
          label="Base URL"
          description="The part before /messages or /chat/completions. The key is sent to this URL only."
          classNames={{ input: 'pb-mono' }}
          value={baseUrl}
          spellCheck={false}
          onChange={(event) => setBaseUrl(event.currentTarget.value)}
        />
        <PasswordInput
          label="Key"
          description={
            hasKey && lostKeyOf === null
              ? 'A key is stored in the vault. Leave this empty to keep it.'
              : undefined
          }
          error={
            lostKeyOf !== null &&
            `The stored key belongs to ${lostKeyOf} and is deleted when you save. Enter the key for the new URL.`
          }
          placeholder={
            hasKey && lostKeyOf === null
              ? 'Stored in the vault'
              : preset.needsKey
                ? ''
                : 'Not needed by most local programs'
          }
          visibilityToggleButtonProps={{ 'aria-label': 'Show or mask the key', tabIndex: 0 }}
          autoComplete="off"
          value={key}
          onChange={(event) => setKey(event.currentTarget.value)}
        />
        <Group gap="xs" align="flex-end" wrap="nowrap">
          <Autocomplete
            label="Default model"
            description="Used if the server’s hints match no model"
            flex={1}
            value={model}
            limit={OFFERED}
            data={[...new Set((models ?? []).map(({ id }) => id))]}
            onChange={setModel}
          />
          <Button
            variant="default"
            loading={check?.type === 'running'}
            disabled={busy}
            data-tip="Saves the provider and requests its models"
            onClick={() => void list()}
          >
            List models
          </Button>
        </Group>
        {facts !== undefined && modelFacts(facts) !== '' && (
          <p className={classes.dim}>{modelFacts(facts)}</p>
        )}
        {check?.type === 'failed' && (
          <p className={classes.result} data-tone="error" role="alert">
            {check.failure.cause} {check.failure.next}
          </p>
        )}
        {models !== null && check?.type !== 'failed' && (
          <p className={classes.dim} role="status">
            {formatCount(models.length, 'model')}
          </p>
        )}
        {error !== null && (
          <CommandAlert error={error} onClose={() => setError(null)}>
            {error.code === 'vaultNeeded' ? (
              <Button variant="default" onClick={() => workspace.setState({ vaultOpen: true })}>
                Open the vault…
              </Button>
            ) : undefined}
          </CommandAlert>
        )}
        <Group justify="flex-end" gap="xs">
          <CancelButton label={saved === null ? 'Cancel' : 'Back'} onCancel={onClose} />
          <Button type="submit" loading={busy}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The host of a URL if another URL is not of the same origin, to which its key must not be sent; else null. */
function otherHost(before: string, now: string): string | null {
  const [old, next] = [before, now].map((url) => (URL.canParse(url.trim()) ? new URL(url.trim()) : null));
  if (old === null || old === undefined) return null;
  return old.origin === next?.origin ? null : old.host;
}
