import { Button, Group, Stack, Switch, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import type {
  CommandError,
  InputKind,
  ScriptPosition,
  ServerItem,
  SimulatorSettings,
} from '../../contract/generated';
import { fullName } from '../../model/connection/serverName';
import {
  SIMULATED_KINDS,
  type SimulationForm,
  type SimulatorForm,
  simulationProblemsOf,
  simulatorFormOf,
  simulatorSettingsOf,
} from '../../model/servers/simulator';
import { commandError } from '../../model/store/errors';
import { useHost } from '../../model/workspace/context';
import { focused } from '../../widgets/focus/focused';
import { CancelButton, GuardedModal, useUnsaved } from '../../widgets/layout/GuardedModal';
import { Waiting } from '../../widgets/status/Waiting';
import { CommandAlert } from '../../widgets/failure/CommandAlert';
import { SimulationFields } from './SimulationFields';
import classes from './simulator.module.css';

interface SimulatorDialogProps {
  server: ServerItem;
  onClose: () => void;
}

/** How the requests of a server are answered automatically, to see how the server copes. */
export function SimulatorDialog({ server, onClose }: SimulatorDialogProps) {
  const host = useHost();
  const [settings, setSettings] = useState<SimulatorSettings | null>(null);
  const [given, setGiven] = useState<readonly ScriptPosition[]>([]);
  const [error, setError] = useState<CommandError | null>(null);
  const { id } = server;

  useEffect(() => {
    let current = true;
    host
      .call('simulator_get', { serverId: id })
      .then((response) => {
        if (!current) return;
        setSettings(response.settings);
        setGiven(response.given);
      })
      .catch((thrown: unknown) => current && setError(commandError(thrown)));
    return () => void (current = false);
  }, [host, id]);

  return (
    <GuardedModal onClose={onClose} title={`Simulator for ${fullName(server)}`} size={620}>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          Answers server requests in your place, to test how the server handles them. Each automatic answer is
          recorded in the traffic log next to its request, and in the inbox history.
        </Text>
        {error !== null && <CommandAlert error={error} />}
        {settings === null ? (
          error === null && <Waiting text="Loading…" />
        ) : (
          <Form server={server} settings={settings} given={given} onClose={onClose} />
        )}
      </Stack>
    </GuardedModal>
  );
}

interface FormProps extends SimulatorDialogProps {
  settings: SimulatorSettings;
  given: readonly ScriptPosition[];
}

function Form({ server, settings, given, onClose }: FormProps) {
  const host = useHost();
  const [initial] = useState<SimulatorForm>(() => simulatorFormOf(settings));
  const [form, setForm] = useState(initial);
  const [isOn, setIsOn] = useState(settings.isOn);
  useUnsaved(isOn !== settings.isOn || JSON.stringify(form) !== JSON.stringify(initial));
  const [tried, setTried] = useState(false);
  const [saving, setSaving] = useState(false);
  const [error, setError] = useState<CommandError | null>(null);
  const problems = SIMULATED_KINDS.map((kind) => simulationProblemsOf(form[kind]));
  const hasProblems = problems.some((each) => Object.keys(each).length > 0);

  const edit = (kind: InputKind, part: Partial<SimulationForm>): void => {
    setForm((old) => ({ ...old, [kind]: { ...old[kind], ...part } }));
    // An answer is chosen so that it is given.
    if (part.way !== undefined && part.way !== 'off') setIsOn(true);
  };
  async function save(): Promise<void> {
    setTried(true);
    if (hasProblems) return;
    setSaving(true);
    setError(null);
    try {
      await host.call('simulator_set', { serverId: server.id, settings: simulatorSettingsOf(form, isOn) });
      onClose();
    } catch (thrown) {
      setError(commandError(thrown));
      setSaving(false);
    }
  }

  return (
    <form
      aria-label="Simulator"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Stack gap="sm">
        <Switch
          label="Simulate answers"
          checked={isOn}
          ref={focused}
          data-autofocus
          onChange={(event) => setIsOn(event.currentTarget.checked)}
        />
        <div className={classes.kinds} data-off={!isOn || undefined}>
          {SIMULATED_KINDS.map((kind, at) => (
            <SimulationFields
              key={kind}
              kind={kind}
              form={form[kind]}
              problems={tried ? (problems[at] ?? {}) : {}}
              given={given.find((each) => each.kind === kind)?.given ?? 0}
              onEdit={(part) => edit(kind, part)}
            />
          ))}
        </div>
        {error !== null && <CommandAlert error={error} />}
        <Group justify="space-between" gap="xs" className={classes.foot}>
          <span className={classes.dim}>
            Takes effect immediately; scripts restart from their first answer.
          </span>
          <Group gap="xs">
            <CancelButton />
            <Button type="submit" loading={saving}>
              Save
            </Button>
          </Group>
        </Group>
      </Stack>
    </form>
  );
}
