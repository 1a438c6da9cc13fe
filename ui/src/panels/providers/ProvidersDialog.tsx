import { Button, Group, Menu, Stack, Text } from '@mantine/core';
import { IconPlus, IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { CommandError, FoundProvider, ProviderItem } from '../../contract/generated';
import { PRESETS, type ProviderPreset } from '../../model/inbox/sampling/providers';
import { commandError } from '../../model/store/errors';
import { formatCount } from '../../model/text/format';
import { useModel, useWorkspace } from '../../model/workspace/context';
import { Waiting } from '../../widgets/status/Waiting';
import { focused } from '../../widgets/focus/focused';
import { GuardedModal } from '../../widgets/layout/GuardedModal';
import { CommandAlert } from '../../widgets/failure/CommandAlert';
import { SettingsList } from '../../widgets/rows/SettingsRow';
import { ProviderForm } from './ProviderForm';
import { ProviderRow } from './ProviderRow';
import classes from './providers.module.css';

/** What the form edits: a provider, or a new one. */
type Editing = { item: ProviderItem | null; preset: ProviderPreset };

const OTHER: ProviderPreset = { name: '', api: 'chatCompletions', baseUrl: 'https://', needsKey: true };

/** The model providers that can answer sampling requests. Opens above the dialog that needs one. */
export function ProvidersDialog() {
  const { workspace } = useModel();
  const opened = useWorkspace(({ providersOpen }) => providersOpen);
  return (
    <GuardedModal
      opened={opened}
      onClose={() => workspace.setState({ providersOpen: false })}
      title="Model providers"
      size={620}
      stackId="providers"
    >
      <Content />
    </GuardedModal>
  );
}

function Content() {
  const { providers } = useModel();
  const items = useStore(providers, (state) => state.items);
  const error = useStore(providers, (state) => state.error);
  const [editing, setEditing] = useState<Editing | null>(null);
  useEffect(() => void providers.refresh(), [providers]);
  const alert = error !== null && (
    <CommandAlert error={error}>
      <Button variant="default" onClick={() => void providers.refresh()}>
        Try again
      </Button>
    </CommandAlert>
  );
  // What is entered stays when the list cannot be loaded again.
  if (editing !== null) {
    return (
      <>
        {alert}
        <ProviderForm {...editing} onClose={() => setEditing(null)} />
      </>
    );
  }
  if (items === undefined) return alert || <Waiting text="Loading…" />;
  return (
    <Stack gap="md">
      {alert}
      <Text size="sm">
        A model can write the answer when a server requests a completion (sampling). You see and approve what
        is sent, unless a rule for the server decides. Every exchange is in the traffic log; keys are in the
        vault.
      </Text>
      {items.length === 0 ? (
        <p className={classes.empty}>No providers. Without one, you write the answers yourself.</p>
      ) : (
        <SettingsList label="Model providers">
          {items.map((item) => (
            <ProviderRow
              key={item.id}
              item={item}
              onEdit={() => setEditing({ item, preset: { ...item, needsKey: item.hasKey } })}
            />
          ))}
        </SettingsList>
      )}
      <Found known={items} onAdd={(preset) => setEditing({ item: null, preset })} />
      <Group justify="flex-end" gap="xs">
        <Menu position="bottom-end">
          <Menu.Target>
            <Button ref={focused} data-autofocus leftSection={<IconPlus size={14} />}>
              Add a provider
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {PRESETS.map((preset) => (
              <Menu.Item key={preset.name} onClick={() => setEditing({ item: null, preset })}>
                {preset.name}
              </Menu.Item>
            ))}
            <Menu.Divider />
            <Menu.Item onClick={() => setEditing({ item: null, preset: OTHER })}>
              Other (Chat Completions)…
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </Group>
    </Stack>
  );
}

/** Looks for programs on this machine, when the user asks for it. */
function Found({ known, onAdd }: { known: ProviderItem[]; onAdd: (preset: ProviderPreset) => void }) {
  const { providers } = useModel();
  const [found, setFound] = useState<FoundProvider[] | null>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<CommandError | null>(null);

  async function look(): Promise<void> {
    setBusy(true);
    setError(null);
    try {
      setFound(await providers.find());
    } catch (thrown) {
      setError(commandError(thrown));
    }
    setBusy(false);
  }

  return (
    <div>
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<IconSearch size={14} />}
        loading={busy}
        data-tip="Queries ports 11434, 1234 and 8080 on this machine for models"
        onClick={() => void look()}
      >
        Find on this machine
      </Button>
      {found !== null && (
        <ul className={classes.found} aria-label="Found on this machine">
          {found.map((each) => (
            <li key={each.name}>
              <b>{each.name}</b> <code>{each.baseUrl}</code>{' '}
              {each.models === null
                ? (each.problem ?? 'not running')
                : formatCount(each.models.length, 'model')}
              {each.models !== null && !known.some(({ baseUrl }) => baseUrl === each.baseUrl) && (
                <Button
                  variant="subtle"
                  size="compact-xs"
                  onClick={() =>
                    onAdd({
                      name: each.name,
                      api: 'chatCompletions',
                      baseUrl: each.baseUrl,
                      needsKey: false,
                    })
                  }
                >
                  Add
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {error !== null && <CommandAlert error={error} />}
    </div>
  );
}
