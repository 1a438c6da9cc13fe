import { Button, Group, PasswordInput, Stack, TextInput, Textarea } from '@mantine/core';
import { useEffect, useState } from 'react';
import type {
  CommandError,
  ProxyGetResponse,
  ProxyMode,
  ProxyPassword,
  ProxySettings,
} from '../../contract/generated';
import { commandError } from '../../model/store/errors';
import { useModel } from '../../model/workspace/context';
import { Segments } from '../../widgets/controls/Segments';
import { CommandAlert } from '../../widgets/failure/CommandAlert';
import { useUnsaved } from '../../widgets/layout/GuardedModal';
import classes from './SettingsDialog.module.css';

const MODES: readonly { value: ProxyMode; label: string }[] = [
  { value: 'system', label: 'System' },
  { value: 'none', label: 'None' },
  { value: 'manual', label: 'Manual' },
];

/** What is typed. An empty password keeps the one in the vault. */
interface Form {
  mode: ProxyMode;
  url: string;
  user: string;
  password: string;
  bypass: string;
}

/** The proxy of Patchbay. */
export function Proxy() {
  const { host, workspace } = useModel();
  const [saved, setSaved] = useState<ProxyGetResponse | null>(null);
  const [form, setForm] = useState<Form | null>(null);
  const [error, setError] = useState<CommandError | null>(null);
  const [busy, setBusy] = useState(false);
  /** How often it was saved. */
  const [saves, setSaves] = useState(0);

  useEffect(() => {
    let current = true;
    host.call('proxy_get', {}).then(
      (response) => {
        if (!current) return;
        setSaved(response);
        setForm({ ...response.settings, password: '' });
      },
      (thrown: unknown) => current && setError(commandError(thrown)),
    );
    return () => {
      current = false;
    };
  }, [host, saves]);

  /** Sets it; false if it was refused. */
  async function set(settings: ProxySettings, password: ProxyPassword): Promise<boolean> {
    setBusy(true);
    setError(null);
    try {
      await host.call('proxy_set', { settings, password });
      return true;
    } catch (thrown) {
      setError(commandError(thrown));
      return false;
    } finally {
      setBusy(false);
    }
  }

  async function save({ password, ...settings }: Form): Promise<void> {
    const isSet = await set(settings, password === '' ? { type: 'keep' } : { type: 'set', text: password });
    if (isSet) setSaves((count) => count + 1);
  }

  const settings = saved?.settings;
  const isChanged =
    form !== null &&
    settings !== undefined &&
    (form.password !== '' ||
      form.mode !== settings.mode ||
      form.url !== settings.url ||
      form.user !== settings.user ||
      form.bypass !== settings.bypass);
  // What is typed for a proxy that is not to be used need not be asked about.
  useUnsaved(isChanged && form.mode === 'manual');

  const alert = error !== null && (
    <CommandAlert error={error} onClose={() => setError(null)}>
      {error.code === 'vaultNeeded' ? (
        <Button variant="default" onClick={() => workspace.setState({ vaultOpen: true })}>
          Open the vault…
        </Button>
      ) : undefined}
    </CommandAlert>
  );
  if (form === null || saved === null) return alert;

  const change = (part: Partial<Form>): void => setForm({ ...form, ...part });
  const { hasPassword } = saved;

  async function choose(mode: ProxyMode): Promise<void> {
    if (form === null || saved === null) return;
    const before = form.mode;
    change({ mode });
    // The others need nothing more; what is typed for a proxy is not saved with them, and stays.
    if (mode === 'manual') return;
    const next = { ...saved.settings, mode };
    if (await set(next, { type: 'keep' })) setSaved({ ...saved, settings: next });
    else setForm((old) => (old === null ? old : { ...old, mode: before }));
  }

  /** Removes it from what is saved; what is typed is not saved with that, and stays. */
  async function removePassword(): Promise<void> {
    if (saved === null) return;
    if (await set(saved.settings, { type: 'none' })) setSaved({ ...saved, hasPassword: false });
  }

  return (
    <Stack gap="sm">
      <div>
        <Segments
          label="Proxy mode"
          segments={MODES}
          value={form.mode}
          onChange={(mode) => void choose(mode)}
        />
      </div>
      {form.mode === 'system' && (
        <span className={classes.none}>
          {saved.system === null
            ? 'Neither the environment (HTTPS_PROXY, HTTP_PROXY, ALL_PROXY) nor the system names a proxy.'
            : `At present ${saved.system}, except for the hosts of NO_PROXY.`}
        </span>
      )}
      {form.mode === 'manual' && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void save(form);
          }}
        >
          <Stack gap="sm">
            <TextInput
              label="URL"
              description="http://, https:// or socks5://, with a port"
              placeholder="http://proxy.example:3128"
              value={form.url}
              spellCheck={false}
              autoComplete="off"
              classNames={{ input: 'pb-mono' }}
              onChange={(event) => change({ url: event.currentTarget.value })}
            />
            <Group grow align="flex-start" gap="md">
              <TextInput
                label="User name"
                placeholder="None"
                value={form.user}
                spellCheck={false}
                autoComplete="off"
                onChange={(event) => change({ user: event.currentTarget.value })}
              />
              <PasswordInput
                label="Password"
                placeholder={hasPassword ? 'In the vault' : 'None'}
                value={form.password}
                autoComplete="off"
                onChange={(event) => change({ password: event.currentTarget.value })}
              />
            </Group>
            <Textarea
              label="Reached without the proxy"
              description="Host names (with all below them), addresses and networks, separated by commas"
              placeholder="corp.example, 10.0.0.0/8"
              autosize
              minRows={1}
              maxRows={4}
              value={form.bypass}
              spellCheck={false}
              classNames={{ input: 'pb-mono' }}
              onChange={(event) => change({ bypass: event.currentTarget.value })}
            />
            <Group gap="xs">
              <Button type="submit" loading={busy} disabled={!isChanged}>
                Save proxy
              </Button>
              {hasPassword && (
                <Button variant="subtle" color="gray" disabled={busy} onClick={() => void removePassword()}>
                  Remove password
                </Button>
              )}
              {!isChanged && <span className={classes.none}>Used for new connections.</span>}
            </Group>
          </Stack>
        </form>
      )}
      {alert}
    </Stack>
  );
}
