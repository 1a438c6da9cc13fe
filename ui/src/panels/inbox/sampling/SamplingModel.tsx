import { Autocomplete, Button, NativeSelect } from '@mantine/core';
import { IconPlayerStop, IconRefresh, IconSend, IconSettings } from '@tabler/icons-react';
import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { InputItem, ModelChoice, ProviderId } from '../../../contract/generated';
import { type ModelOfRequest, isRequest } from '../../../model/inbox/sampling/sampling';
import { modelFacts } from '../../../model/inbox/sampling/providers';
import { useModel } from '../../../model/workspace/context';
import { indentJson } from '../../../model/text/json';
import { IconButton } from '../../../widgets/controls/IconButton';
import { CommandAlert } from '../../../widgets/failure/CommandAlert';
import classes from './Sampling.module.css';
import { SamplingProgress } from './SamplingProgress';

/** How many models are offered at once. */
const OFFERED = 100;

interface SamplingModelProps {
  item: InputItem;
  /** The params as JSON text. */
  request: string;
  /** What of them the choice of a model needs, as JSON text; null while they are read. */
  preferences: string | null;
}

/** The model a sampling request is sent to, and what it answers. The answer becomes the draft of the user's answer. */
export function SamplingModel({ item, request, preferences }: SamplingModelProps) {
  const { host, inputs, sampling, providers, workspace } = useModel();
  const items = useStore(providers, (state) => state.items);
  const error = useStore(providers, (state) => state.error);
  const own = useStore(sampling, ({ models }) => models[item.id]);
  const run = useStore(sampling, ({ runs }) => runs[item.id]);
  const [automatic, setAutomatic] = useState<ModelChoice | null>(null);
  useEffect(() => void providers.refresh(), [providers]);
  useEffect(() => {
    if (preferences === null) return undefined;
    let current = true;
    // Which model is chosen is a suggestion; without it the user chooses.
    host
      .call('sampling_choose', { paramsJson: preferences })
      .then(({ choice }) => current && setAutomatic(choice))
      .catch(() => {});
    return () => void (current = false);
  }, [host, preferences, items]);

  const choice: ModelOfRequest | null = own ?? automatic;
  const provider = items?.find(({ id }) => id === choice?.providerId) ?? items?.[0];
  const model = choice?.providerId === provider?.id ? (choice?.model ?? '') : '';
  const known = provider?.models?.find(({ id }) => id === model);
  const running = run?.state === 'running';
  const isSendable = useMemo(() => isRequest(request), [request]);
  const canSend = provider !== undefined && model.trim() !== '' && isSendable;

  const choose = (providerId: ProviderId, next: string): void =>
    sampling.choose(item.id, { providerId, model: next });
  const send = (): void => {
    if (provider === undefined || !canSend) return;
    sampling.generate(item.id, { providerId: provider.id, model: model.trim() }, request, (result) =>
      inputs.keepDraft(item.id, indentJson(result)),
    );
  };

  if (error !== null) return <CommandAlert error={error} inPane />;
  if (items === undefined) return null;
  const settings = (
    <IconButton
      icon={IconSettings}
      label="Model providers"
      onClick={() => workspace.setState({ providersOpen: true })}
    />
  );
  if (provider === undefined) {
    return (
      <div className={classes.bar}>
        <span className={classes.dim}>Write the answer yourself, or add a model provider.</span>
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => workspace.setState({ providersOpen: true })}
        >
          Add a provider…
        </Button>
      </div>
    );
  }
  return (
    <>
      <div className={classes.bar}>
        <NativeSelect
          size="xs"
          aria-label="Provider"
          disabled={running}
          className={classes.provider}
          value={provider.id}
          data={items.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(event) => {
            const next = items.find(({ id }) => id === event.currentTarget.value);
            if (next !== undefined) choose(next.id, next.defaultModel ?? '');
          }}
        />
        <Autocomplete
          size="xs"
          aria-label="Model"
          placeholder="Model"
          disabled={running}
          className={classes.model}
          value={model}
          limit={OFFERED}
          data={[...new Set(provider.models?.map(({ id }) => id) ?? [provider.defaultModel ?? ''])].filter(
            (id) => id !== '',
          )}
          onFocus={() => {
            // The list is requested once, when the user is about to choose.
            if (provider.models === null) void providers.list(provider.id);
          }}
          onChange={(next) => choose(provider.id, next)}
        />
        {settings}
        {running ? (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPlayerStop size={14} />}
            onClick={() => sampling.stop(item.id)}
          >
            Stop
          </Button>
        ) : (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={run === undefined ? <IconSend size={14} /> : <IconRefresh size={14} />}
            disabled={!canSend}
            data-tip="Sends the request to the model. Its answer is not sent to the server until you approve it."
            onClick={send}
          >
            {run === undefined ? 'Send to model' : 'Regenerate'}
          </Button>
        )}
      </div>
      <p className={classes.reason}>
        {why(own !== undefined, model, automatic)} {known !== undefined && modelFacts(known)}
      </p>
      {run !== undefined && <SamplingProgress run={run} />}
    </>
  );
}

function why(isChosen: boolean, model: string, automatic: ModelChoice | null): string {
  if (model.trim() === '') return 'Choose a model.';
  return isChosen || automatic === null ? 'You chose this model.' : automatic.reason;
}
