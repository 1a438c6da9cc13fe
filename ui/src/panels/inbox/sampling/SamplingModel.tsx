import { Autocomplete, Button, NativeSelect } from '@mantine/core';
import { IconPlayerStop, IconRefresh, IconSend, IconSettings } from '@tabler/icons-react';
import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { InputItem, ModelChoice, ProviderId } from '../../../contract/generated';
import { skeletonOf } from '../../../model/inbox/inputAnswer';
import { type ModelOfRequest, isRequest } from '../../../model/inbox/sampling/sampling';
import { modelFacts } from '../../../model/inbox/sampling/providers';
import { useModel } from '../../../model/workspace/context';
import { indentJson } from '../../../model/text/json';
import { IconButton } from '../../../widgets/controls/IconButton';
import { CommandAlert } from '../../../widgets/failure/CommandAlert';
import { focused } from '../../../widgets/focus/focused';
import dialog from '../InputDialog.module.css';
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
  /** A text of the request is being edited, and would not be sent. */
  hasDraft: boolean;
  /** An edit of the request is being made, without which it would be sent. */
  isEditing: boolean;
}

/** The model a sampling request is sent to, and what it answers. The answer becomes the draft of the user's answer. */
export function SamplingModel({ item, request, preferences, hasDraft, isEditing }: SamplingModelProps) {
  const { host, inputs, sampling, providers, workspace } = useModel();
  const items = useStore(providers, (state) => state.items);
  const error = useStore(providers, (state) => state.error);
  const own = useStore(sampling, ({ models }) => models[item.id]);
  const run = useStore(sampling, ({ runs }) => runs[item.id]);
  const answer = useStore(sampling, ({ answers }) => answers[item.id]);
  /** Whether to send it without the text that is being edited. */
  const [isAsking, setAsking] = useState(false);
  if (isAsking && !hasDraft) setAsking(false);
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
  const canSend = provider !== undefined && model.trim() !== '' && isSendable && !isEditing;

  const choose = (providerId: ProviderId, next: string): void =>
    sampling.choose(item.id, { providerId, model: next });
  const take = (text: string): void => {
    const draft = inputs.getState().drafts[item.id];
    const before = sampling.getState().answers[item.id];
    // What the user wrote is not replaced without being asked.
    const isUsed = draft === undefined || draft === before?.text || draft === skeletonOf(item);
    if (isUsed) inputs.keepDraft(item.id, text);
    sampling.answered(item.id, { text, isUsed });
  };
  const generate = (): void => {
    setAsking(false);
    if (provider === undefined || !canSend) return;
    sampling.generate(item.id, { providerId: provider.id, model: model.trim() }, request, (result) =>
      take(indentJson(result)),
    );
  };
  const send = (): void => (hasDraft ? setAsking(true) : generate());

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
      {isAsking && <UnappliedQuestion onKeep={() => setAsking(false)} onSend={generate} />}
      {run !== undefined && <SamplingProgress run={run} isKept={answer?.isUsed === false} />}
      {answer?.isUsed === false && !running && (
        <p className={classes.reason} role="status">
          The answer that you wrote is kept.{' '}
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => {
              inputs.keepDraft(item.id, answer.text);
              sampling.answered(item.id, { ...answer, isUsed: true });
            }}
          >
            Use the model’s answer
          </Button>
        </p>
      )}
    </>
  );
}

function why(isChosen: boolean, model: string, automatic: ModelChoice | null): string {
  if (model.trim() === '') return 'Choose a model.';
  return isChosen || automatic === null ? 'You chose this model.' : automatic.reason;
}

/** Asks before a request is sent without what is being edited in it. */
function UnappliedQuestion({ onKeep, onSend }: { onKeep: () => void; onSend: () => void }) {
  return (
    <div
      className={dialog.problems}
      data-tone="warn"
      role="alertdialog"
      aria-label="Send without what you are editing?"
    >
      <span className="pb-grow">A text that you are editing in the request is not applied to it.</span>
      <Button size="compact-xs" variant="default" ref={focused} onClick={onKeep}>
        Keep editing
      </Button>
      <Button size="compact-xs" variant="light" onClick={onSend}>
        Send without it
      </Button>
    </div>
  );
}
