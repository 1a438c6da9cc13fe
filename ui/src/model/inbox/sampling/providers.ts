import { createStore, type StoreApi } from 'zustand/vanilla';
import type {
  CommandError,
  FoundProvider,
  ModelFailure,
  ModelItem,
  ProviderApi,
  ProviderId,
  ProviderItem,
  ProviderSaveParams,
} from '../../../contract/generated';
import type { Host } from '../../../host/host';
import { coalesce } from '../../store/coalesce';
import { commandError } from '../../store/errors';
import { keepSame } from '../../store/keepSame';
import { formatCount } from '../../text/format';
import type { AppEvents } from '../../workspace/appEvents';

/** The model providers. Holds no key. */
export interface Providers {
  /** As last received; undefined until loaded. */
  items: ProviderItem[] | undefined;
  /** Why they could not be loaded. */
  error: CommandError | null;
  /** The result of the last test or list of each provider. */
  checks: Partial<Record<ProviderId, ProviderCheck>>;
}

/** A test of a provider, or the request of its models. */
export type ProviderCheck =
  | { type: 'running'; what: 'test' | 'models' }
  | { type: 'works'; words: string }
  | { type: 'failed'; failure: ModelFailure };

/** What a provider is called where one is chosen, and why it may have no name there. */
export function providerName({ items, error }: Pick<Providers, 'items' | 'error'>, id: ProviderId): string {
  const name = items?.find((item) => item.id === id)?.name;
  if (name !== undefined) return name;
  if (items !== undefined) return 'Removed provider';
  return error === null ? 'Loading…' : 'Providers not loaded';
}

const PULL_EVERY_MS = 50;

export type ProvidersStore = StoreApi<Providers> & {
  /** Loads them now. */
  refresh(): Promise<void>;
  /** Adds or replaces one. Rejects with a `CommandFailure`. */
  save(params: ProviderSaveParams): Promise<ProviderId>;
  /** Removes one. Rejects with a `CommandFailure`. */
  remove(providerId: ProviderId): Promise<void>;
  /** Requests its models. */
  list(providerId: ProviderId): Promise<void>;
  /** Asks a model for a few tokens. */
  test(providerId: ProviderId, model: string): Promise<void>;
  /** Looks for programs on this machine. Rejects with a `CommandFailure`. */
  find(): Promise<FoundProvider[]>;
};

export function createProviders(host: Host, events: AppEvents): ProvidersStore {
  const store = createStore<Providers>(() => ({ items: undefined, error: null, checks: {} }));

  async function pull(): Promise<void> {
    try {
      const { items } = await host.call('provider_list', {});
      store.setState((old) => ({ items: keepSame(old.items, items), error: null }));
    } catch (thrown) {
      store.setState({ error: commandError(thrown) });
    }
  }

  const refresh = coalesce(pull, PULL_EVERY_MS);

  events.subscribe('providers', () => void refresh());
  events.onResync(() => {
    if (store.getState().items !== undefined) void refresh();
  });

  async function check(
    id: ProviderId,
    what: 'test' | 'models',
    run: () => Promise<ProviderCheck>,
  ): Promise<void> {
    const put = (result: ProviderCheck): void =>
      store.setState(({ checks }) => ({ checks: { ...checks, [id]: result } }));
    put({ type: 'running', what });
    try {
      put(await run());
    } catch (thrown) {
      const { message } = commandError(thrown);
      put({ type: 'failed', failure: { cause: message, next: '', retryAfterMs: null } });
    }
    await refresh();
  }

  return Object.assign(store, {
    refresh,
    async save(params: ProviderSaveParams): Promise<ProviderId> {
      const { providerId } = await host.call('provider_save', params);
      store.setState(({ checks }) => ({ checks: { ...checks, [providerId]: undefined } }));
      await refresh();
      return providerId;
    },
    async remove(providerId: ProviderId): Promise<void> {
      await host.call('provider_remove', { providerId });
      await refresh();
    },
    list: (providerId: ProviderId) =>
      check(providerId, 'models', async () => {
        const response = await host.call('provider_models', { providerId });
        return response.type === 'failed'
          ? response
          : { type: 'works', words: formatCount(response.models.length, 'model') };
      }),
    test: (providerId: ProviderId, model: string) =>
      check(providerId, 'test', async () => {
        const response = await host.call('provider_test', { providerId, model });
        return response.type === 'failed'
          ? response
          : { type: 'works', words: `${model} answered in ${Math.round(response.tookMs)} ms` };
      }),
    find: async () => (await host.call('provider_find', {})).items,
  });
}

/** A provider to start from. */
export interface ProviderPreset {
  name: string;
  api: ProviderApi;
  baseUrl: string;
  /** Whether it needs a key. */
  needsKey: boolean;
}

export const PRESETS: readonly ProviderPreset[] = [
  { name: 'Anthropic', api: 'anthropic', baseUrl: 'https://api.anthropic.com/v1', needsKey: true },
  { name: 'OpenAI', api: 'chatCompletions', baseUrl: 'https://api.openai.com/v1', needsKey: true },
  { name: 'OpenRouter', api: 'chatCompletions', baseUrl: 'https://openrouter.ai/api/v1', needsKey: true },
  { name: 'Ollama', api: 'chatCompletions', baseUrl: 'http://127.0.0.1:11434/v1', needsKey: false },
  { name: 'LM Studio', api: 'chatCompletions', baseUrl: 'http://127.0.0.1:1234/v1', needsKey: false },
  { name: 'llama.cpp', api: 'chatCompletions', baseUrl: 'http://127.0.0.1:8080/v1', needsKey: false },
];

/** What is known about a model: its context and its price. Empty if nothing is. */
export function modelFacts({ context, price }: ModelItem): string {
  const facts: string[] = [];
  if (context !== null) facts.push(`${context.toLocaleString('en')} tokens of context`);
  if (price !== null) {
    facts.push(`$${dollars(price.input)} in, $${dollars(price.output)} out per million tokens`);
  }
  return facts.join(' · ');
}

/** An amount in US dollars, with two digits of what is less than a cent. */
export function dollars(amount: number): string {
  return amount === 0 ? '0' : amount < 0.01 ? amount.toPrecision(2) : amount.toFixed(2);
}
