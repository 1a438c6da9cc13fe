import { useCallback, useEffect, useRef, useState } from 'react';
import type {
  CommandError,
  RegistryReadResponse,
  RegistryServer,
  RegistrySource,
  RegistryOption,
} from '../../../../contract/generated';
import { commandError } from '../../../store/errors';
import { useModel } from '../../../workspace/context';
import { useAdding } from '../useAdding';

/** How far the reading of a `server.json` is. */
export type RegistryState =
  /** Nothing was named yet. */
  | { type: 'none' }
  | { type: 'reading' }
  | { type: 'failed'; error: CommandError }
  | { type: 'read'; document: RegistryReadResponse };

/** What is chosen of a document, and entered for it. */
interface Choice {
  server: number;
  option: number;
  name: string;
  /** The values of the form, as JSON text. */
  values: string;
}

const NOTHING: Choice = { server: 0, option: 0, name: '', values: '{}' };

/** The option that is chosen at first: one that can be added. */
function firstOption({ options }: RegistryServer): number {
  return Math.max(
    0,
    options.findIndex(({ blocker }) => blocker === null),
  );
}

function choiceOf(server: number, option: number, of: RegistryServer | undefined): Choice {
  return { server, option, name: of?.proposedName ?? '', values: of?.options[option]?.valuesJson ?? '{}' };
}

/** A `server.json` of the MCP registry: it is read, one of its servers and options is chosen, and added when the user says so. */
export function useRegistry(source: RegistrySource | null, onDone: () => void) {
  const { host } = useModel();
  const [state, setState] = useState<RegistryState>({ type: source === null ? 'none' : 'reading' });
  const [choice, setChoice] = useState(NOTHING);
  const newest = useRef(0);
  const document = state.type === 'read' ? state.document : null;
  const adding = useAdding(async (plainSecrets) => {
    const { server, option, name, values } = choice;
    const plain = plainSecrets ? { plainSecrets } : {};
    const text = document?.text ?? '';
    return (await host.call('registry_add', { text, server, option, name, valuesJson: values, ...plain }))
      .serverId;
  }, onDone);

  const read = useCallback(
    async (from: RegistrySource): Promise<void> => {
      newest.current += 1;
      const mine = newest.current;
      setState({ type: 'reading' });
      try {
        const found = await host.call('registry_read', { source: from });
        if (mine !== newest.current) return;
        const [first] = found.servers;
        setChoice(choiceOf(0, first === undefined ? 0 : firstOption(first), first));
        setState({ type: 'read', document: found });
      } catch (thrown) {
        if (mine === newest.current) setState({ type: 'failed', error: commandError(thrown) });
      }
    },
    [host],
  );

  useEffect(() => {
    if (source !== null) void read(source);
    return () => {
      newest.current += 1;
    };
  }, [source, read]);

  const server: RegistryServer | undefined = document?.servers[choice.server];
  const option: RegistryOption | undefined = server?.options[choice.option];
  const untouched = choiceOf(choice.server, choice.option, server);
  return {
    state,
    choice,
    /** Whether anything was entered. */
    isChanged: document !== null && (choice.name !== untouched.name || choice.values !== untouched.values),
    server,
    option,
    adding,
    read,
    /** Forgets what was read, for another file or address. */
    restart: () => {
      newest.current += 1;
      setState({ type: 'none' });
    },
    chooseServer: (index: number) => {
      const next = document?.servers[index];
      if (next !== undefined) setChoice(choiceOf(index, firstOption(next), next));
    },
    chooseWay: (index: number) =>
      setChoice((now) => ({ ...choiceOf(now.server, index, server), name: now.name })),
    setName: (name: string) => setChoice((now) => ({ ...now, name })),
    setValues: (values: string) => setChoice((now) => ({ ...now, values })),
  };
}
