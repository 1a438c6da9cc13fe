import { Button, Group, NativeSelect, NumberInput, Stack } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type {
  CommandError,
  SamplingAnswerRule,
  SamplingRequestRule,
  SamplingRules,
  ServerId,
} from '../../../contract/generated';
import { commandError } from '../../../model/store/errors';
import { useModel } from '../../../model/workspace/context';
import { CommandAlert } from '../../../widgets/failure/CommandAlert';
import { focused } from '../../../widgets/layout/focused';
import classes from './Sampling.module.css';

const REQUESTS: { value: SamplingRequestRule; label: string }[] = [
  { value: 'ask', label: 'Ask me' },
  { value: 'thisConnection', label: 'Send while this connection lasts' },
  { value: 'always', label: 'Always send' },
  { value: 'never', label: 'Always reject' },
];
const ANSWERS: { value: SamplingAnswerRule; label: string }[] = [
  { value: 'ask', label: 'Ask me' },
  { value: 'thisConnection', label: 'Approve while this connection lasts' },
  { value: 'always', label: 'Always approve' },
];
/** The value for the model that the server's hints lead to. */
const BY_HINTS = '';

interface SamplingRulesFormProps {
  serverId: ServerId;
  /** Whether a dialog has nothing else: saving is what it is for. */
  isAlone?: boolean;
}

/** The rules for the next sampling requests of a server. */
export function SamplingRulesForm({ serverId, isAlone = false }: SamplingRulesFormProps) {
  const { host, providers } = useModel();
  const items = useStore(providers, (state) => state.items) ?? [];
  const [rules, setRules] = useState<SamplingRules | null>(null);
  const [used, setUsed] = useState(0);
  const [error, setError] = useState<CommandError | null>(null);
  const [saved, setSaved] = useState(false);

  useEffect(() => {
    let current = true;
    host
      .call('sampling_rules_get', { serverId })
      .then((response) => {
        if (!current) return;
        setRules(response.rules);
        setUsed(response.usedTokens);
      })
      .catch((thrown: unknown) => current && setError(commandError(thrown)));
    return () => void (current = false);
  }, [host, serverId]);

  const put = (part: Partial<SamplingRules>): void => {
    setSaved(false);
    setRules((old) => (old === null ? old : { ...old, ...part }));
  };
  async function save(): Promise<void> {
    if (rules === null) return;
    setError(null);
    try {
      await host.call('sampling_rules_set', { serverId, rules });
      setSaved(true);
    } catch (thrown) {
      setError(commandError(thrown));
    }
  }

  const isAutomatic = rules?.request === 'always' || rules?.request === 'thisConnection';
  return (
    <>
      {rules !== null && (
        <Stack gap="xs" p="8px 0">
          <NativeSelect
            size="xs"
            label="Requests"
            ref={isAlone ? focused : undefined}
            data-autofocus={isAlone || undefined}
            value={rules.request}
            data={REQUESTS}
            onChange={(event) => put({ request: event.currentTarget.value as SamplingRequestRule })}
          />
          {isAutomatic && (
            <>
              <NativeSelect
                size="xs"
                label="Model answers"
                value={rules.answer}
                data={ANSWERS}
                onChange={(event) => put({ answer: event.currentTarget.value as SamplingAnswerRule })}
              />
              <NativeSelect
                size="xs"
                label="Model"
                value={rules.providerId ?? BY_HINTS}
                data={[
                  { value: BY_HINTS, label: 'Selected by the server’s hints' },
                  ...items
                    .filter(({ defaultModel }) => defaultModel !== null)
                    .map(({ id, name, defaultModel }) => ({ value: id, label: `${name}: ${defaultModel}` })),
                ]}
                onChange={(event) => {
                  const provider = items.find(({ id }) => id === event.currentTarget.value);
                  put({
                    providerId: provider?.id ?? null,
                    model: provider?.defaultModel ?? null,
                  });
                }}
              />
              <Group gap="xs" grow align="flex-start">
                <NumberInput
                  size="xs"
                  label="Max requests per minute"
                  min={1}
                  max={1000}
                  value={rules.perMinute}
                  onChange={(value) => put({ perMinute: Math.max(1, Number(value) || 1) })}
                />
                <NumberInput
                  size="xs"
                  label="Max tokens per connection"
                  min={1}
                  max={4_000_000_000}
                  value={rules.tokenBudget}
                  onChange={(value) => put({ tokenBudget: Math.max(1, Number(value) || 1) })}
                />
              </Group>
              <p className={classes.dim}>
                {used.toLocaleString('en')} tokens used automatically on this connection. Above a limit,
                Patchbay asks you.
              </p>
            </>
          )}
          <Group gap="xs" justify={isAlone ? 'flex-end' : undefined}>
            {isAlone && saved && <span role="status">Saved</span>}
            <Button
              size={isAlone ? 'sm' : 'compact-sm'}
              variant={isAlone ? 'filled' : 'default'}
              onClick={() => void save()}
            >
              Save rules
            </Button>
            {!isAlone && saved && <span role="status">Saved</span>}
          </Group>
        </Stack>
      )}
      {error !== null && <CommandAlert error={error} />}
    </>
  );
}
