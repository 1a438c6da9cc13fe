import { Button, Group, Input, Stack, TextInput, Textarea } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { type ClipboardEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useHost } from '../../../../model/workspace/context';
import { commandError } from '../../../../model/store/errors';
import { commandLine } from '../../../../model/servers/serverForm';
import type { UnreadLine } from '../../../../model/servers/unreadLine';
import { CommandAlert } from '../../../../widgets/failure/CommandAlert';
import { IconButton } from '../../../../widgets/controls/IconButton';

interface ArgumentRowsProps {
  /** What they are the arguments of, if it is not the server. */
  of?: string;
  command: string;
  args: string[];
  /** The command line, as long as it is not read. */
  line: UnreadLine | undefined;
  isDisabled: boolean;
  onChange: (part: { command?: string; args?: string[]; line?: UnreadLine | undefined }) => void;
}

/** Arguments as rows, or command and arguments as one line. */
export function ArgumentRows(props: ArgumentRowsProps) {
  const { of, command, args, line, isDisabled, onChange } = props;
  const [wantsLine, setWantsLine] = useState(false);
  // What is typed is never hidden before it is read.
  const asLine = wantsLine || line !== undefined;

  function toggle(): void {
    setWantsLine(!asLine);
    if (typeof line?.problem === 'string') onChange({ line: undefined });
  }

  return (
    <div>
      <Group justify="space-between">
        <Input.Label size="xs">{named(of, asLine ? 'Command line' : 'Arguments')}</Input.Label>
        {!isDisabled && (
          <Button size="compact-xs" variant="subtle" color="gray" onClick={toggle}>
            {asLine ? 'Edit as list' : 'Edit as command line'}
          </Button>
        )}
      </Group>
      {asLine ? (
        <CommandLine of={of} command={command} args={args} line={line} onChange={onChange} />
      ) : (
        <Rows
          of={of}
          args={args}
          isDisabled={isDisabled}
          onChange={(changed) => onChange({ args: changed })}
        />
      )}
    </div>
  );
}

/** `Arguments`, or `Build arguments`. */
function named(of: string | undefined, name: string): string {
  return of === undefined ? name : `${of} ${name.charAt(0).toLowerCase()}${name.slice(1)}`;
}

type Of<K extends keyof ArgumentRowsProps> = Pick<ArgumentRowsProps, K> & { of: string | undefined };

function Rows({
  of,
  args,
  isDisabled,
  onChange,
}: Of<'args' | 'isDisabled'> & { onChange: (args: string[]) => void }) {
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
    // The key that ends a composition ends nothing else.
    if (event.nativeEvent.isComposing) return;
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

function CommandLine({ of, command, args, line, onChange }: Of<'command' | 'args' | 'line' | 'onChange'>) {
  const host = useHost();
  /** The line as typed, and what was read from it. */
  const [typed, setTyped] = useState<{ text: string; read: string } | null>(null);
  const known = commandLine(command, args);
  const text = line?.text ?? (typed?.read === known ? typed.text : known);
  const newest = useRef('');

  async function read(next: string): Promise<void> {
    newest.current = next;
    onChange({ line: { text: next, problem: null } });
    let problem: string;
    try {
      const { drafts, problems } = await host.call('server_parse', { text: next });
      if (newest.current !== next) return;
      const transport = drafts[0]?.transport;
      if (transport?.type === 'stdio') {
        setTyped({ text: next, read: commandLine(transport.command, transport.args) });
        onChange({ command: transport.command, args: transport.args, line: undefined });
        return;
      }
      problem = problems[0] ?? 'Not a command line.';
    } catch (thrown) {
      problem = commandError(thrown).message;
    }
    if (newest.current === next) onChange({ line: { text: next, problem } });
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
      {typeof line?.problem === 'string' && (
        <CommandAlert error={{ code: 'invalidParams', message: line.problem, detail: null }} />
      )}
    </>
  );
}
