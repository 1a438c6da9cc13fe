import { Button, Menu, Modal } from '@mantine/core';
import { IconBookmark, IconDeviceFloppy, IconPencil, IconTrash } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import type { ServerId } from '../../../../contract/generated';
import { notSavedReason, presetEdits, presetsOfServer } from '../../../../model/tools/presets';
import { useModel, useUi } from '../../../../model/workspace/context';
import type { Preset } from '../../../../model/workspace/uiState';
import { IconButton } from '../../../../widgets/controls/IconButton';
import { NameForm } from '../../../../widgets/controls/NameForm';
import classes from './Presets.module.css';

interface PresetsProps {
  serverId: ServerId;
  tool: string;
  /** The arguments as they would be sent. */
  text: string;
  /** The preset that was applied or saved last. */
  applied: string | null;
  onApply: (preset: Preset) => void;
  /** The arguments have been saved under this name; null if that preset is gone. */
  onApplied: (name: string | null) => void;
}

/** What the dialog asks the name for: new arguments, or a preset of this name. */
type Naming = { type: 'save' } | { type: 'rename'; from: string };

/** The longest beginning of a preset that is shown, in characters. */
const MAX_SHOWN = 120;

/** The saved argument sets of one tool: applied, updated, renamed, deleted. */
export function Presets({ serverId, tool, text, applied, onApply, onApplied }: PresetsProps) {
  const { ui } = useModel();
  const ofServer = useUi((state) => presetsOfServer(state, serverId));
  const presets = useMemo(() => ofServer.filter((preset) => preset.tool === tool), [ofServer, tool]);
  const edits = useMemo(() => presetEdits(ui, serverId, tool), [ui, serverId, tool]);
  const [opened, setOpened] = useState(false);
  const [naming, setNaming] = useState<Naming | null>(null);
  const current = presets.find(({ name }) => name === applied);
  const isChanged = current !== undefined && current.text !== text;

  const named = (name: string): void => {
    if (naming?.type === 'rename') {
      edits.rename(naming.from, name);
      if (applied === naming.from) onApplied(name);
    } else {
      edits.save(name, text);
      onApplied(name);
    }
    setNaming(null);
  };
  return (
    <>
      <Menu position="bottom-end" width={380} opened={opened} onChange={setOpened}>
        <Menu.Target>
          <Button
            variant="subtle"
            color="gray"
            leftSection={<IconBookmark size={14} />}
            data-tip={isChanged ? 'Changed since it was applied' : 'Saved arguments of this tool'}
          >
            <span className={classes.target} data-applied={current !== undefined || undefined}>
              {current?.name ?? 'Presets'}
            </span>
            {isChanged && <span className={classes.changed}>changed</span>}
          </Button>
        </Menu.Target>
        <Menu.Dropdown className={classes.menu}>
          {presets.map((preset) => (
            <Row
              key={preset.name}
              preset={preset}
              isApplied={preset === current}
              count={presets.length}
              current={text}
              onApply={() => onApply(preset)}
              onUpdate={() => {
                edits.save(preset.name, text);
                onApplied(preset.name);
              }}
              onRename={() => {
                setOpened(false);
                setNaming({ type: 'rename', from: preset.name });
              }}
              onDelete={() => {
                edits.remove(preset.name);
                if (preset === current) onApplied(null);
              }}
            />
          ))}
          {presets.length > 0 && <Menu.Divider />}
          <SaveItem count={presets.length} text={text} onSave={() => setNaming({ type: 'save' })} />
        </Menu.Dropdown>
      </Menu>
      <Modal
        opened={naming !== null}
        onClose={() => setNaming(null)}
        title={naming?.type === 'rename' ? 'Rename preset' : 'Save arguments as a preset'}
        size="sm"
      >
        {naming !== null && (
          <NameForm
            initial={naming.type === 'rename' ? naming.from : (current?.name ?? '')}
            taken={presets
              .map(({ name }) => name)
              .filter((name) => naming.type === 'save' || name !== naming.from)}
            submit={naming.type === 'rename' ? 'Rename' : 'Save'}
            onName={named}
          />
        )}
      </Modal>
    </>
  );
}

interface RowProps {
  preset: Preset;
  isApplied: boolean;
  /** How many presets the tool has. */
  count: number;
  /** The arguments as they would be sent. */
  current: string;
  onApply: () => void;
  onUpdate: () => void;
  onRename: () => void;
  onDelete: () => void;
}

function Row({ preset, isApplied, count, current, onApply, onUpdate, onRename, onDelete }: RowProps) {
  const { ui } = useModel();
  const { name, text } = preset;
  const isSame = text === current;
  const reason = isSame ? null : notSavedReason(ui.getState(), count, current, preset);
  return (
    <div className={classes.row} data-applied={isApplied || undefined}>
      <Menu.Item
        className={classes.item}
        onClick={onApply}
        data-tip={text.slice(0, 300)}
        data-tip-side="left"
      >
        <span className={classes.line}>
          <span className={classes.name}>{name}</span>
          <code className={classes.text}>{text.slice(0, MAX_SHOWN).replaceAll(/\s*\n\s*/g, ' ')}</code>
        </span>
      </Menu.Item>
      <IconButton
        role="menuitem"
        icon={IconDeviceFloppy}
        label={`Update ${name} with the current arguments`}
        disabled={isSame}
        {...(reason === null ? {} : { 'data-tip': reason })}
        data-disabled={isSame || reason !== null || undefined}
        aria-disabled={isSame || reason !== null}
        onClick={() => {
          if (reason === null) onUpdate();
        }}
      />
      <IconButton role="menuitem" icon={IconPencil} label={`Rename ${name}`} onClick={onRename} />
      <IconButton role="menuitem" icon={IconTrash} label={`Delete ${name}`} onClick={onDelete} />
    </div>
  );
}

/** A separate component, mounted only while the menu is open. */
function SaveItem({ count, text, onSave }: { count: number; text: string; onSave: () => void }) {
  const { ui } = useModel();
  const reason = notSavedReason(ui.getState(), count, text);
  return (
    <Menu.Item disabled={reason !== null} onClick={onSave}>
      Save arguments as a preset…{reason !== null && <span className={classes.reason}>{reason}</span>}
    </Menu.Item>
  );
}
