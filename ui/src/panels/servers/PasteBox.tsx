import { Button, List, Textarea } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconFileImport } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { CommandError, PlainSecretItem, RegistrySource, ServerDraft } from '../../contract/generated';
import { isBundleName } from '../../model/servers/adding/bundles/bundleFile';
import { useHost } from '../../model/workspace/context';
import { commandError } from '../../model/store/errors';
import { formatCount, formatSize } from '../../model/text/format';
import { CommandAlert } from '../../widgets/failure/CommandAlert';
import { WhereStored } from './fields/WhereStored';

/** How long to wait for further keys before the text is parsed, in ms. */
const PARSE_AFTER_MS = 200;

interface PasteBoxProps {
  /** What was pasted before. */
  initial: string;
  /** Called when a text is about to be parsed. `onPasted` follows, unless the text belongs to another dialog. */
  onParsing: () => void;
  /** Called with the parsed servers of each text. */
  onPasted: (drafts: ServerDraft[]) => void;
  /** Called with a file that is a bundle: it has a dialog of its own. */
  onBundle: (file: File) => void;
  /** Called with a `server.json`, which has one too; with an address only when the user says so. */
  onRegistry: (source: RegistrySource) => void;
}

/** The size of the largest text that is read from a file, in bytes. A larger one cannot be pasted either. */
const LARGEST = 1024 * 1024;

/** Parses a command line or configuration into servers. */
export function PasteBox({ initial, onParsing, onPasted, onBundle, onRegistry }: PasteBoxProps) {
  const host = useHost();
  const [text, setText] = useState(initial);
  const [found, setFound] = useState<number | null>(null);
  const [problems, setProblems] = useState<string[]>([]);
  const [secrets, setSecrets] = useState<PlainSecretItem[]>([]);
  /** The text looks like the address of a `server.json`. */
  const [registry, setRegistry] = useState<RegistrySource | null>(null);
  const [error, setError] = useState<CommandError | null>(null);
  const newest = useRef('');
  const input = useRef<HTMLInputElement>(null);

  /** Nothing is known of the text but this error, if it is one. */
  function forget(thrown: CommandError | null): void {
    setFound(null);
    setProblems([]);
    setSecrets([]);
    setRegistry(null);
    setError(thrown);
    onPasted([]);
  }

  const parse = useDebouncedCallback(async (pasted: string) => {
    if (pasted.trim() === '') {
      forget(null);
      return;
    }
    try {
      const response = await host.call('server_parse', { text: pasted });
      if (newest.current !== pasted) return;
      if (response.registry?.type === 'text') {
        onRegistry(response.registry);
        return;
      }
      setRegistry(response.registry ?? null);
      setFound(response.drafts.length);
      setProblems(response.problems);
      setSecrets(response.secrets);
      setError(null);
      onPasted(response.drafts);
    } catch (thrown) {
      if (newest.current === pasted) forget(commandError(thrown));
    }
  }, PARSE_AFTER_MS);

  useEffect(() => {
    if (initial === '') return;
    newest.current = initial;
    parse(initial);
    // oxlint-disable-next-line react/exhaustive-deps -- only what it started with
  }, []);

  function write(next: string): void {
    newest.current = next;
    setText(next);
    onParsing();
    parse(next);
  }

  async function read(file: File): Promise<void> {
    if (isBundleName(file.name)) {
      onBundle(file);
      return;
    }
    const refuse = (why: string): void =>
      setError({ code: 'invalidParams', message: `${file.name} ${why}`, detail: null });
    if (file.size > LARGEST) {
      refuse(
        `has ${formatSize(file.size)}, more than the 1 MB that is read. Paste only the servers from it.`,
      );
      return;
    }
    try {
      write(await file.text());
    } catch {
      refuse('could not be read. It may be a folder, or have been moved.');
    }
  }

  return (
    <div>
      <Textarea
        label="Paste anything"
        description="A command line, a URL, or JSON with mcpServers. It fills in the fields below. Or choose a file: a configuration, a server.json, or a bundle (.mcpb)."
        placeholder="npx -y @modelcontextprotocol/server-everything"
        autosize
        minRows={2}
        maxRows={8}
        spellCheck={false}
        data-autofocus
        classNames={{ input: 'pb-mono' }}
        value={text}
        onChange={(event) => write(event.currentTarget.value)}
      />
      <input
        ref={input}
        type="file"
        hidden
        aria-label="Configuration or bundle"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          // The same file can be chosen again.
          currentTarget.value = '';
          if (file !== undefined) void read(file);
        }}
      />
      <Button
        variant="default"
        size="compact-sm"
        mt={6}
        leftSection={<IconFileImport size={14} />}
        onClick={() => input.current?.click()}
      >
        Choose a file…
      </Button>
      {registry !== null && (
        <Button variant="default" size="compact-sm" mt={6} ml={6} onClick={() => onRegistry(registry)}>
          Read server.json from this URL
        </Button>
      )}
      {found !== null && found > 1 && (
        <output aria-live="polite">{formatCount(found, 'server', 'servers')} found.</output>
      )}
      {secrets.length > 0 && (
        <WhereStored>
          {formatCount(secrets.length, 'secret')} found ({secrets.map(({ name }) => name).join(', ')}). When
          added, {secrets.length === 1 ? 'it is' : 'they are'}
        </WhereStored>
      )}
      {problems.length > 0 && (
        <List size="xs" mt={4} c="var(--pb-warn)" role="alert" className="pb-selectable">
          {problems.map((problem) => (
            <List.Item key={problem}>{problem}</List.Item>
          ))}
        </List>
      )}
      {error !== null && <CommandAlert error={error} />}
    </div>
  );
}
