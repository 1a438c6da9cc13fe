import { Button, Group, NativeSelect, Stack } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type {
  CommandError,
  ProviderItem,
  SamplingAnswerRule,
  SamplingRequestRule,
  SamplingRules,
  ServerId,
} from '../../../contract/generated';
import { type Providers, providerName } from '../../../model/inbox/sampling/providers';
import { commandError } from '../../../model/store/errors';
import { useModel } from '../../../model/workspace/context';
import { NumberSetting } from '../../../widgets/controls/NumberSetting';
import { CommandAlert } from '../../../widgets/failure/CommandAlert';
import { focused } from '../../../widgets/focus/focused';
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
  const items = useStore(providers, (state) => state.items);
  const notLoaded = useStore(providers, (state) => state.error);
  const [rules, setRules] = useState<SamplingRules | null>(null);
  const [used, setUsed] = useState(0);
  const [error, setError] = useState<CommandError | null>(null);
  const [saved, setSaved] = useState(false);

  useEffect(() => void providers.refresh(), [providers]);
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

  const put = (part: Partial<SamplingRules>): true => {
    setSaved(false);
    setRules((old) => (old === null ? old : { ...old, ...part }));
    return true;
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
                value={valueOf(rules)}
                data={choicesOf(rules, { items, error: notLoaded })}
                onChange={({ currentTarget: { value } }) => {
                  if (value === valueOf(rules)) return;
                  const provider = items?.find((item) => valueOf(defaultOf(item)) === value);
                  put(provider === undefined ? { providerId: null, model: null } : defaultOf(provider));
                }}
              />
              {items === undefined && notLoaded !== null && <CommandAlert error={notLoaded} />}
              <Group gap="xs" grow align="flex-start">
                <NumberSetting
                  size="xs"
                  label="Max requests per minute"
                  min={1}
                  max={1000}
                  saved={rules.perMinute}
                  onSave={(perMinute) => perMinute !== null && put({ perMinute })}
                />
                <NumberSetting
                  size="xs"
                  label="Max tokens per connection"
                  min={1}
                  max={4_000_000_000}
                  saved={rules.tokenBudget}
                  onSave={(tokenBudget) => tokenBudget !== null && put({ tokenBudget })}
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

type ModelRule = Pick<SamplingRules, 'providerId' | 'model'>;

/** The rule that a provider is chosen with. */
function defaultOf({ id, defaultModel }: ProviderItem): ModelRule {
  return { providerId: id, model: defaultModel };
}

function valueOf({ providerId, model }: ModelRule): string {
  return providerId === null ? BY_HINTS : `${providerId} ${model ?? ''}`;
}

/** The default model of each provider, and that of the rule, which may have been another one when it was saved. */
function choicesOf(
  rule: ModelRule,
  providers: Pick<Providers, 'items' | 'error'>,
): { value: string; label: string }[] {
  const choices = (providers.items ?? [])
    .filter(({ defaultModel }) => defaultModel !== null)
    .map((item) => ({ value: valueOf(defaultOf(item)), label: `${item.name}: ${item.defaultModel}` }));
  const value = valueOf(rule);
  const name = rule.providerId === null ? '' : providerName(providers, rule.providerId);
  const isListed = rule.providerId === null || choices.some((choice) => choice.value === value);
  return [
    { value: BY_HINTS, label: 'Selected by the server’s hints' },
    ...choices,
    ...(isListed ? [] : [{ value, label: rule.model === null ? name : `${name}: ${rule.model}` }]),
  ];
}
