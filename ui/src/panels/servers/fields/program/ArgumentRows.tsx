import { Button, Group, Input, Stack, TextInput, Textarea } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { type ClipboardEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { CommandError } from '../../../../contract/generated';
import { useHost } from '../../../../model/workspace/context';
import { commandError } from '../../../../model/store/errors';
import { commandLine } from '../../../../model/servers/serverForm';
import { CommandAlert } from '../../../../widgets/failure/CommandAlert';
import { IconButton } from '../../../../widgets/controls/IconButton';

interface ArgumentRowsProps {
  /** What they are the arguments of, if it is not the server. */
  of?: string;
  command: string;
  args: string[];
  isDisabled: boolean;
  onChange: (args: string[]) => void;
  /** The command line as typed. */
  onCommandLine: (command: string, args: string[]) => void;
}

/** Arguments as rows, or command and arguments as one line. */
export function ArgumentRows(props: ArgumentRowsProps) {
  const { of, command, args, isDisabled, onChange, onCommandLine } = props;
  const [asLine, setAsLine] = useState(false);

  return (
    <div>
      <Group justify="space-between">
        <Input.Label size="xs">{named(of, asLine ? 'Command line' : 'Arguments')}</Input.Label>
        {!isDisabled && (
          <Button size="compact-xs" variant="subtle" color="gray" onClick={() => setAsLine(!asLine)}>
            {asLine ? 'Edit as list' : 'Edit as command line'}
          </Button>
        )}
      </Group>
      {asLine ? (
        <CommandLine of={of} command={command} args={args} onCommandLine={onCommandLine} />
      ) : (
        <Rows of={of} args={args} isDisabled={isDisabled} onChange={onChange} />
      )}
    </div>
  );
}

/** `Arguments`, or `Build arguments`. */
function named(of: string | undefined, name: string): string {
  return of === undefined ? name : `${of} ${name.charAt(0).toLowerCase()}${name.slice(1)}`;
}

type Of<K extends keyof ArgumentRowsProps> = Pick<ArgumentRowsProps, K> & { of: string | undefined };

function Rows({ of, args, isDisabled, onChange }: Of<'args' | 'isDisabled' | 'onChange'>) {
  const list = useRef<HTMLDivElement>(null);
  const [focus, setFocus] = useState<number | null>(null);

  useEffect(() => {
    if (focus === null) return;
    list.current?.querySelectorAll('input')[focus]?.focus();
    setFocus(null);
  }, [focus]);

  function insert(at: number, values: string[]): void {
    onChange(args.toSpliced(at, 0, ...values));
    setFocus(at + values.length - 1);
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>, at: number): void {
    if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      insert(at + 1, ['']);
    } else if (event.key === 'Backspace' && args[at] === '') {
      event.preventDefault();
      onChange(args.toSpliced(at, 1));
      setFocus(Math.max(0, at - 1));
    }
  }

  function onPaste(event: ClipboardEvent, at: number): void {
    const lines = event.clipboardData
      .getData('text')
      .split(/\r?\n/)
      .filter((line) => line !== '');
    if (lines.length < 2) return;
    event.preventDefault();
    onChange(args.toSpliced(at, args[at] === '' ? 1 : 0, ...lines));
  }

  return (
    <Stack gap={4} ref={list}>
      {args.map((arg, i) => (
        // A row is identified by its index.
        // oxlint-disable-next-line react/no-array-index-key
        <Group key={i} gap={4} wrap="nowrap">
          <TextInput
            aria-label={named(of, `Argument ${i + 1}`)}
            flex={1}
            value={arg}
            disabled={isDisabled}
            spellCheck={false}
            classNames={{ input: 'pb-mono' }}
            onChange={(event) => onChange(args.with(i, event.currentTarget.value))}
            onKeyDown={(event) => onKeyDown(event, i)}
            onPaste={(event) => onPaste(event, i)}
          />
          {!isDisabled && (
            <IconButton
              icon={IconX}
              label={`Remove ${named(of, `Argument ${i + 1}`).toLowerCase()}`}
              onClick={() => onChange(args.toSpliced(i, 1))}
            />
          )}
        </Group>
      ))}
      {!isDisabled && (
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          style={{ alignSelf: 'flex-start' }}
          leftSection={<IconPlus size={14} />}
          onClick={() => insert(args.length, [''])}
        >
          Add argument
        </Button>
      )}
    </Stack>
  );
}

function CommandLine({ of, command, args, onCommandLine }: Of<'command' | 'args' | 'onCommandLine'>) {
  const host = useHost();
  const [text, setText] = useState(() => commandLine(command, args));
  const [error, setError] = useState<CommandError | null>(null);
  const newest = useRef(text);

  async function read(line: string): Promise<void> {
    setText(line);
    newest.current = line;
    try {
      const { drafts, problems } = await host.call('server_parse', { text: line });
      if (newest.current !== line) return;
      const [draft] = drafts;
      if (draft?.transport.type !== 'stdio') {
        setError({ code: 'invalidParams', message: problems[0] ?? 'Not a command line.', detail: null });
      } else {
        setError(null);
        onCommandLine(draft.transport.command, draft.transport.args);
      }
    } catch (thrown) {
      if (newest.current === line) setError(commandError(thrown));
    }
  }

  return (
    <>
      <Textarea
        aria-label={named(of, 'Command line')}
        autosize
        minRows={1}
        maxRows={6}
        value={text}
        spellCheck={false}
        classNames={{ input: 'pb-mono' }}
        onChange={(event) => void read(event.currentTarget.value)}
      />
      {error !== null && <CommandAlert error={error} />}
    </>
  );
}
