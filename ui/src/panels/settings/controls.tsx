import { Button, Group, Switch, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { AppInfoResponse, CommandError, ServerItem } from '../../contract/generated';
import { fullName } from '../../model/connection/serverName';
import { automaticInWords } from '../../model/servers/serverForm';
import { commandError } from '../../model/store/errors';
import { formatCount } from '../../model/text/format';
import { setAskMode } from '../../model/tools/consent';
import { keptWords } from '../../model/vault/vault';
import { useHost, useModel, useServers, useUi } from '../../model/workspace/context';
import { useNotifies } from '../../model/workspace/useNotifies';
import { Fact, Facts } from '../../widgets/facts/Facts';
import { CommandAlert } from '../../widgets/failure/CommandAlert';
import { useLeave } from '../../widgets/layout/GuardedModal';
import { LogLimits } from '../../widgets/traffic/LogLimits';
import classes from './SettingsDialog.module.css';

export function ToolContext() {
  const { ui } = useModel();
  const isOn = useUi((state) => state.toolContextOpen);
  return (
    <Switch
      aria-label="Tool definition column"
      checked={isOn}
      onChange={() => ui.setState({ toolContextOpen: !isOn })}
    />
  );
}

export function KeepsAnswers() {
  const { ui } = useModel();
  const isOn = useUi((state) => state.keepsAnswers);
  return (
    <Switch
      aria-label="Offer earlier answers"
      checked={isOn}
      onChange={() => ui.setState({ keepsAnswers: !isOn })}
    />
  );
}

export function WatchesHosts() {
  const { ui } = useModel();
  const isOn = useUi((state) => state.watchesHosts);
  return (
    <Switch
      aria-label="Watch imported configurations"
      checked={isOn}
      onChange={() => ui.setState({ watchesHosts: !isOn })}
    />
  );
}

/** The command that opens a terminal. */
export function Terminal() {
  const { ui } = useModel();
  const command = useUi((state) => state.terminal);
  return (
    <TextInput
      aria-label="Command of the terminal"
      placeholder="System terminal"
      w={240}
      value={command}
      spellCheck={false}
      onChange={(event) => ui.setState({ terminal: event.currentTarget.value })}
    />
  );
}

export function Notifications() {
  const { state, toggle } = useNotifies();
  if (state === 'unsupported') return <span className={classes.none}>Not available here</span>;
  if (state === 'denied') return <span className={classes.none}>Not allowed by the browser</span>;
  return <Switch aria-label="Desktop notifications" checked={state === 'on'} onChange={toggle} />;
}

export function LogLimitSettings() {
  return <LogLimits />;
}

/** Which tools the user is not asked for any more, with the way back for each. */
export function UnconfirmedTools() {
  const { ui, workspace } = useModel();
  const items = useServers((state) => state.items) ?? [];
  const servers = useUi((state) => state.unconfirmedServers);
  const tools = useUi((state) => state.unconfirmedTools);
  const rows = items.flatMap((server) => {
    const { id } = server;
    const serverName = fullName(server);
    return [
      ...(servers.includes(id)
        ? [
            {
              key: id,
              label: `${serverName}: all tools`,
              askAgain: () => ui.setState({ unconfirmedServers: servers.filter((each) => each !== id) }),
            },
          ]
        : []),
      ...(tools[id] ?? []).map((name) => ({
        key: `${id} ${name}`,
        label: `${serverName}: ${name}`,
        askAgain: () => setAskMode({ ui, workspace }, id, name, 'once'),
      })),
    ];
  });
  if (rows.length === 0) return <span className={classes.none}>None</span>;
  return (
    <ul className={classes.list}>
      {rows.map(({ key, label, askAgain }) => (
        <li key={key}>
          <span>{label}</span>
          <Button variant="subtle" color="gray" size="compact-xs" onClick={askAgain}>
            Remove exception
          </Button>
        </li>
      ))}
    </ul>
  );
}

export function TrustedDefinitions() {
  return <OwnServers words={({ draft }) => (draft.definitionTrust === 'accept' ? 'trusted' : null)} />;
}

export function TrustedAnnotations() {
  return <OwnServers words={({ draft }) => (draft.trustAnnotations === true ? 'trusted' : null)} />;
}

export function AutomaticServers() {
  return <OwnServers words={({ draft }) => automaticInWords(draft.automatic) || null} />;
}

export function EnvironmentSettings() {
  return (
    <OwnServers words={({ draft }) => (draft.inheritEnvironment === true ? 'whole environment' : null)} />
  );
}

const DEFAULT_MS = { requestMs: 60_000, maxTotalMs: 600_000 };

export function Timeouts() {
  return (
    <OwnServers
      words={({ draft: { timeouts } }) =>
        timeouts.requestMs === DEFAULT_MS.requestMs && timeouts.maxTotalMs === DEFAULT_MS.maxTotalMs
          ? null
          : `${timeouts.requestMs / 1000} s, ${timeouts.maxTotalMs / 1000} s in total`
      }
    />
  );
}

/** The servers that have a setting of their own, each with the way to it. */
function OwnServers({ words }: { words: (server: ServerItem) => string | null }) {
  const { workspace } = useModel();
  const leave = useLeave();
  const items = useServers((state) => state.items) ?? [];
  const own = items.flatMap((server) => {
    const said = words(server);
    return said === null ? [] : [{ server, said }];
  });
  if (own.length === 0) return <span className={classes.none}>None</span>;
  return (
    <ul className={classes.list}>
      {own.map(({ server, said }) => (
        <li key={server.id}>
          <span>
            {fullName(server)}: {said}
          </span>
          <Button
            variant="subtle"
            color="gray"
            size="compact-xs"
            aria-label={`Edit ${fullName(server)}`}
            onClick={() =>
              leave(() => workspace.setState({ dialog: { type: 'editServer', serverId: server.id } }))
            }
          >
            Edit…
          </Button>
        </li>
      ))}
    </ul>
  );
}

export function Vault() {
  const { vault, workspace } = useModel();
  const known = useStore(vault, (state) => state.known);
  const plain = useStore(vault, (state) => state.plain);
  const leave = useLeave();
  useEffect(() => void vault.refresh(), [vault]);
  return (
    <Group gap="xs">
      <span>Secrets are stored {keptWords(known?.state)}.</span>
      <Button variant="default" onClick={() => workspace.setState({ vaultOpen: true })}>
        Open the vault…
      </Button>
      {plain.length > 0 && (
        <Button
          variant="default"
          onClick={() => leave(() => workspace.setState({ dialog: { type: 'plainSecrets' } }))}
        >
          Move {formatCount(plain.length, 'plaintext secret')}…
        </Button>
      )}
    </Group>
  );
}

export function OpenRootSets() {
  const { workspace } = useModel();
  return (
    <Button variant="default" onClick={() => workspace.setState({ rootSetsOpen: true })}>
      Shared root sets…
    </Button>
  );
}

export function OpenProviders() {
  const { workspace } = useModel();
  return (
    <Button variant="default" onClick={() => workspace.setState({ providersOpen: true })}>
      Model providers…
    </Button>
  );
}

export function OpenShortcuts() {
  const { workspace } = useModel();
  const leave = useLeave();
  return (
    <Button variant="default" onClick={() => leave(() => workspace.setState({ dialog: { type: 'keys' } }))}>
      Change shortcuts…
    </Button>
  );
}

export function Files() {
  const host = useHost();
  const [info, setInfo] = useState<AppInfoResponse | null>(null);
  const [error, setError] = useState<CommandError | null>(null);
  useEffect(() => {
    host.call('app_info', {}).then(setInfo, (thrown: unknown) => setError(commandError(thrown)));
  }, [host]);
  if (error !== null) return <CommandAlert error={error} />;
  if (info === null) return null;
  return (
    <Facts names={96}>
      <Fact name="Settings" mono>
        {info.configFile}
      </Fact>
      <Fact name="Traffic log" mono>
        {info.storeFile}
      </Fact>
      <Fact name="Diagnostics" mono>
        {info.logFile}
      </Fact>
      <Fact name="Version">{info.version}</Fact>
    </Facts>
  );
}
