import { List, Textarea } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import type { CommandError, PlainSecretItem, ServerDraft } from '../../contract/generated';
import { useHost } from '../../model/workspace/context';
import { commandError } from '../../model/store/errors';
import { formatCount } from '../../model/text/format';
import { CommandAlert } from '../../widgets/failure/CommandAlert';
import { WhereStored } from './fields/WhereStored';

/** How long to wait for further keys before the text is parsed, in ms. */
const PARSE_AFTER_MS = 200;

interface PasteBoxProps {
  /** What was pasted before. */
  initial: string;
  /** Called with the parsed servers whenever they change. */
  onPasted: (drafts: ServerDraft[]) => void;
}

/** Parses a command line or configuration into servers. */
export function PasteBox({ initial, onPasted }: PasteBoxProps) {
  const host = useHost();
  const [text, setText] = useState(initial);
  const [found, setFound] = useState<number | null>(null);
  const [problems, setProblems] = useState<string[]>([]);
  const [secrets, setSecrets] = useState<PlainSecretItem[]>([]);
  const [error, setError] = useState<CommandError | null>(null);
  const newest = useRef('');

  const parse = useDebouncedCallback(async (pasted: string) => {
    if (pasted.trim() === '') {
      setFound(null);
      setProblems([]);
      setSecrets([]);
      setError(null);
      onPasted([]);
      return;
    }
    try {
      const response = await host.call('server_parse', { text: pasted });
      if (newest.current !== pasted) return;
      setFound(response.drafts.length);
      setProblems(response.problems);
      setSecrets(response.secrets);
      setError(null);
      onPasted(response.drafts);
    } catch (thrown) {
      if (newest.current !== pasted) return;
      setError(commandError(thrown));
      onPasted([]);
    }
  }, PARSE_AFTER_MS);

  useEffect(() => {
    if (initial === '') return;
    newest.current = initial;
    parse(initial);
    // oxlint-disable-next-line react/exhaustive-deps -- only what it started with
  }, []);

  return (
    <div>
      <Textarea
        label="Paste anything"
        description="A command line, a URL, or JSON with mcpServers. It fills in the fields below."
        placeholder="npx -y @modelcontextprotocol/server-everything"
        autosize
        minRows={2}
        maxRows={8}
        spellCheck={false}
        data-autofocus
        classNames={{ input: 'pb-mono' }}
        value={text}
        onChange={(event) => {
          const next = event.currentTarget.value;
          newest.current = next;
          setText(next);
          parse(next);
        }}
      />
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
