import { Autocomplete, NativeSelect } from '@mantine/core';
import { IconSettings } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { ChatAnswers } from '../../../contract/generated';
import type { ConversationStore } from '../../../model/chat/conversation';
import { providerName } from '../../../model/inbox/sampling/providers';
import { useModel } from '../../../model/workspace/context';
import { IconButton } from '../../../widgets/controls/IconButton';
import classes from '../chat.module.css';

/** The value of the choice that no provider has. */
const MANUAL = 'manual';
/** How many models are offered at once. */
const OFFERED = 100;

/** Who answers: a model of a provider, or the user. */
export function AnswersChoice({ conversation }: { conversation: ConversationStore }) {
  const { providers, workspace } = useModel();
  const loaded = useStore(providers, (state) => state.items);
  const error = useStore(providers, (state) => state.error);
  const items = loaded ?? [];
  const answers = useStore(conversation, (state) => state.settings?.answers);
  useEffect(() => void providers.refresh(), [providers]);
  if (answers === undefined) return null;
  const set = (next: ChatAnswers): void => void conversation.set({ answers: next });
  const providerId = answers.type === 'model' ? answers.providerId : null;
  const provider = items.find(({ id }) => id === providerId);
  return (
    <>
      <NativeSelect
        size="xs"
        aria-label="Who answers"
        value={providerId ?? MANUAL}
        data={[
          { value: MANUAL, label: 'You, by hand' },
          ...items.map(({ id, name }) => ({ value: id, label: name })),
          // It has a place of its own: another choice is a change only from there.
          ...(providerId === null || provider !== undefined
            ? []
            : [{ value: providerId, label: providerName({ items: loaded, error }, providerId) }]),
        ]}
        onChange={({ currentTarget: { value } }) => {
          const next = items.find(({ id }) => id === value);
          if (value === MANUAL) set({ type: 'manual' });
          else if (next !== undefined)
            set({ type: 'model', providerId: next.id, model: next.defaultModel ?? '' });
        }}
      />
      {answers.type === 'model' && provider !== undefined && (
        <ModelName
          key={`${provider.id} ${answers.model}`}
          model={answers.model}
          models={provider.models?.map(({ id }) => id) ?? []}
          onModel={(model) => set({ ...answers, model })}
          onList={() => void providers.list(provider.id)}
          isListed={provider.models !== null}
        />
      )}
      {loaded === undefined && error !== null && (
        <span className={classes.warn}>The providers were not loaded: {error.message}</span>
      )}
      {answers.type === 'model' && provider === undefined && loaded !== undefined && (
        <span className={classes.warn}>Its provider was removed.</span>
      )}
      <IconButton
        icon={IconSettings}
        label="Model providers"
        onClick={() => workspace.setState({ providersOpen: true })}
      />
    </>
  );
}

interface ModelNameProps {
  model: string;
  models: string[];
  isListed: boolean;
  onModel: (model: string) => void;
  onList: () => void;
}

/** The name is set when the field is left, not with each key. */
function ModelName({ model, models, isListed, onModel, onList }: ModelNameProps) {
  const [name, setName] = useState(model);
  const set = (next: string): void => {
    if (next.trim() !== '' && next.trim() !== model) onModel(next.trim());
  };
  return (
    <Autocomplete
      size="xs"
      aria-label="Model"
      placeholder="Model"
      className={classes.model}
      value={name}
      data={[...new Set(models)].slice(0, 5_000)}
      limit={OFFERED}
      error={name.trim() === ''}
      onChange={setName}
      onOptionSubmit={set}
      onBlur={() => set(name)}
      onDropdownOpen={() => !isListed && onList()}
      onKeyDown={(event) => {
        if (event.key === 'Enter') set(name);
      }}
    />
  );
}
