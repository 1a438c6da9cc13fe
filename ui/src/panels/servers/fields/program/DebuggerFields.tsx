import { Alert, Button, Group, Input, Select, Stack, Switch, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { DebuggerPreviewParams, DebuggerPreviewResponse } from '../../../../contract/generated';
import {
  DEBUGGERS,
  type DebuggerForm,
  type DebuggerProblems,
  debuggerDraftOf,
} from '../../../../model/servers/debuggerForm';
import { type ServerForm, commandLine, draftOf } from '../../../../model/servers/serverForm';
import { useHost } from '../../../../model/workspace/context';
import { useCopy } from '../../../../widgets/controls/useCopy';
import classes from './DebuggerFields.module.css';

interface DebuggerFieldsProps {
  form: ServerForm;
  problems: DebuggerProblems;
  onChange: (part: Partial<ServerForm>) => void;
}

/** The debugger that a program is started under, what is run then, and how an editor attaches. */
export function DebuggerFields({ form, problems, onChange }: DebuggerFieldsProps) {
  const own = form.debugger;
  const change = (part: Partial<DebuggerForm>): void => onChange({ debugger: { ...own, ...part } });
  const preview = usePreview(form);
  return (
    <Stack gap="md">
      <Group grow align="flex-start" gap="md">
        <Select
          label="Debugger"
          data={DEBUGGERS.map(({ kind, label }) => ({ value: kind, label }))}
          value={own.kind}
          allowDeselect={false}
          onChange={(kind) => {
            const next = DEBUGGERS.find((one) => one.kind === kind) ?? DEBUGGERS[0];
            change({ kind: next.kind, port: String(next.port) });
          }}
        />
        {own.kind !== 'off' && (
          <TextInput
            label="Debugger port"
            inputMode="numeric"
            value={own.port}
            error={problems.port}
            onChange={(event) => change({ port: event.currentTarget.value })}
          />
        )}
      </Group>
      {own.kind !== 'off' && (
        <>
          <Switch
            label="Wait for the debugger before the server starts"
            description="Connecting fails if no debugger attaches within the request timeout."
            checked={own.waits}
            onChange={(event) => change({ waits: event.currentTarget.checked })}
          />
          {preview !== null && <Preview preview={preview} />}
        </>
      )}
    </Stack>
  );
}

function Preview({ preview }: { preview: DebuggerPreviewResponse }) {
  const { command, args, problem, needs, configuration, attach } = preview;
  if (problem !== null) {
    return (
      <Alert color="red" role="alert">
        {problem}
      </Alert>
    );
  }
  return (
    <>
      <div>
        <Input.Label size="xs">Command that is run</Input.Label>
        <pre className={`${classes.code} pb-selectable`}>{commandLine(command, args)}</pre>
        <Input.Description>
          The command above stays as it is. While the debugger is on, any program of this machine can attach
          and run code in the server.{needs !== null && ` Needs ${needs}`}
        </Input.Description>
      </div>
      <Copied label="Attach from VS Code (launch.json)" text={configuration} />
      {attach !== null && <Copied label="Attach from a terminal" text={attach} />}
    </>
  );
}

function Copied({ label, text }: { label: string; text: string }) {
  const { words, copy } = useCopy('Copy');
  return (
    <div>
      <Group justify="space-between">
        <Input.Label size="xs">{label}</Input.Label>
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          aria-label={`${words}: ${label}`}
          onClick={() => void copy(() => text)}
        >
          {words}
        </Button>
      </Group>
      <pre className={`${classes.code} pb-selectable`}>{text}</pre>
    </div>
  );
}

/** How long typing must pause before the preview is made again, in ms. */
const PAUSE_MS = 150;

/** What would be run, of a form without problems in these fields. */
function usePreview(form: ServerForm): DebuggerPreviewResponse | null {
  const host = useHost();
  const [preview, setPreview] = useState<DebuggerPreviewResponse | null>(null);
  const debug = debuggerDraftOf(form.debugger);
  const wanted =
    debug === undefined
      ? null
      : JSON.stringify({ name: form.name.trim(), transport: draftOf(form).transport, debugger: debug });
  useEffect(() => {
    if (wanted === null) return undefined;
    let isWanted = true;
    const timer = setTimeout(() => {
      host.call('debugger_preview', JSON.parse(wanted) as DebuggerPreviewParams).then(
        (shown) => isWanted && setPreview(shown),
        () => isWanted && setPreview(null),
      );
    }, PAUSE_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [host, wanted]);
  return wanted === null ? null : preview;
}
