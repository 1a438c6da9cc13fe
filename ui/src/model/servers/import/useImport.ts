import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import { useStore } from 'zustand';
import type {
  CommandError,
  HostFindResponse,
  HostInput,
  HostInputAnswer,
  ServerId,
} from '../../../contract/generated';
import { commandError } from '../../store/errors';
import { useActions } from '../../workspace/actions';
import { useModel } from '../../workspace/context';
import { type Differing, type ImportSource, type Offer, inputKey, isWanted, offersOf } from './hosts';
import { readSource } from './readSource';

/** The servers of other hosts, and which of them are added. */
export function useImport(source: ImportSource, onDone: () => void) {
  const { host, servers, ui, vault, workspace } = useModel();
  const actions = useActions();
  const [found, setFound] = useState<HostFindResponse | null>(null);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  /** The keys of those that were added before a later one failed. */
  const [added, setAdded] = useState<ReadonlySet<string>>(new Set());
  const [differing, setDiffering] = useState<Readonly<Record<string, Differing>>>({});
  const [answers, setAnswers] = useState<Readonly<Record<string, string>>>({});
  const [error, setError] = useState<CommandError | null>(null);
  const [adding, setAdding] = useState(false);
  /** Adding waits for the vault. */
  const [held, setHeld] = useState(false);
  const isVaultReady = useStore(vault, ({ known }) => known?.state.type === 'ready');

  const look = useCallback(async () => {
    try {
      const next = await readSource(host, source);
      setFound(next);
      setChosen(
        new Set(
          offersOf(next.files)
            .filter(isWanted)
            .map(({ key }) => key),
        ),
      );
      setError(null);
    } catch (thrown) {
      setError(commandError(thrown));
    }
  }, [host, source]);

  useEffect(() => {
    void look();
    void vault.refresh();
  }, [look, vault]);

  const goOn = useEffectEvent(() => {
    if (held) void add(false);
  });
  useEffect(() => {
    if (isVaultReady) goOn();
  }, [isVaultReady]);

  const all = offersOf(found?.files ?? []);
  const offers = all.filter(({ key }) => chosen.has(key));

  function answerOf({ file }: Offer, input: HostInput): HostInputAnswer {
    return { text: answers[inputKey(file, input.id)] ?? input.default ?? '', isSecret: input.password };
  }

  async function addOne(offer: Offer, plainSecrets: boolean): Promise<ServerId> {
    const { key, server } = offer;
    const inputAnswers = Object.fromEntries(server.inputs.map((input) => [input.id, answerOf(offer, input)]));
    const how = { inputAnswers, ...(plainSecrets ? { plainSecrets } : {}) };
    const { comparison } = server;
    if (comparison.type === 'differs' && (differing[key] ?? 'update') === 'update') {
      const { serverId, transport } = comparison;
      const ours = servers.getState().items?.find(({ id }) => id === serverId)?.draft;
      if (ours !== undefined) {
        await host.call('server_update', { serverId, draft: { ...ours, transport }, ...how });
        return serverId;
      }
    }
    return (await host.call('server_add', { draft: server.draft, ...how })).serverId;
  }

  async function add(plainSecrets: boolean): Promise<void> {
    setAdding(true);
    setError(null);
    setHeld(false);
    let first: ServerId | undefined;
    const places = new Set(ui.getState().importedHosts);
    try {
      for (const offer of offers) {
        // In sequence: the rail shows them in this order.
        // oxlint-disable-next-line no-await-in-loop
        const serverId = await addOne(offer, plainSecrets);
        first ??= serverId;
        if (source.type !== 'files') places.add(offer.file.place.path);
        // What is added stays added if a later one fails, and is not added twice.
        setChosen((now) => new Set([...now].filter((key) => key !== offer.key)));
        setAdded((now) => new Set([...now, offer.key]));
      }
      if (first !== undefined) actions.select(first);
      onDone();
    } catch (thrown) {
      const failure = commandError(thrown);
      setError(failure);
      if (failure.code === 'vaultNeeded') {
        setHeld(true);
        workspace.setState({ vaultOpen: true });
      }
    } finally {
      if (places.size > ui.getState().importedHosts.length) ui.setState({ importedHosts: [...places] });
      await servers.refresh();
      setAdding(false);
    }
  }

  return {
    found,
    offers,
    chosen,
    differing,
    answers,
    /** Whether anything was entered or chosen that has not been added. */
    isChanged:
      Object.values(answers).some((text) => text !== '') ||
      Object.entries(differing).some(([key, value]) => value !== 'update' && !added.has(key)) ||
      all.some((offer) => !added.has(offer.key) && chosen.has(offer.key) !== isWanted(offer)),
    error,
    adding,
    look,
    add,
    dismissError: () => {
      setError(null);
      setHeld(false);
    },
    toggle: (key: string) =>
      setChosen((now) => {
        const next = new Set(now);
        if (!next.delete(key)) next.add(key);
        return next;
      }),
    setDiffering: (key: string, value: Differing) => setDiffering((now) => ({ ...now, [key]: value })),
    setAnswer: (key: string, value: string) => setAnswers((now) => ({ ...now, [key]: value })),
  };
}

export type Import = ReturnType<typeof useImport>;
