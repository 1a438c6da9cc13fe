import { Modal } from '@mantine/core';
import { IconRestore } from '@tabler/icons-react';
import { useState } from 'react';
import { useModel, useUi } from '../../model/workspace/context';
import { FilterInput } from '../../widgets/controls/FilterInput';
import { IconButton } from '../../widgets/controls/IconButton';
import { EmptyState } from '../../widgets/layout/EmptyState';
import classes from './SettingsDialog.module.css';
import { type Setting, defaultsOf, found, isChanged } from './settings';

/** Everything that can be set, in one place, by section; searched by words. */
export function SettingsDialog({ onClose }: { onClose: () => void }) {
  const [query, setQuery] = useState('');
  const shown = found(query);
  const sections = [...new Set(shown.map(({ section }) => section))];
  return (
    <Modal opened onClose={onClose} title="Settings" size={720} stackId="settings">
      <div className={classes.search} data-filter-scope>
        <FilterInput
          label="Search settings"
          value={query}
          onChange={setQuery}
          delayMs={0}
          width="100%"
          takesFocus
        />
      </div>
      <div className={classes.sections}>
        {sections.map((section) => (
          <section key={section} aria-label={section}>
            <h3 className={classes.section}>{section}</h3>
            {shown
              .filter((setting) => setting.section === section)
              .map((setting) => (
                <Row key={setting.id} setting={setting} />
              ))}
          </section>
        ))}
        {shown.length === 0 && (
          <EmptyState title="No matching settings" text="The settings of a server are in its Edit dialog." />
        )}
      </div>
    </Modal>
  );
}

function Row({ setting }: { setting: Setting }) {
  const { ui } = useModel();
  const changed = useUi((state) => isChanged(setting, state));
  const { title, text, wide = false, Control } = setting;
  return (
    <div className={classes.row} data-wide={wide || undefined} role="group" aria-label={title}>
      <div>
        <div className={classes.title}>
          {title}
          {changed && (
            <IconButton
              icon={IconRestore}
              label={`Reset ${title}`}
              onClick={() => ui.setState(defaultsOf(setting))}
            />
          )}
        </div>
        <div className={classes.text}>{text}</div>
      </div>
      <div className={classes.control}>
        <Control />
      </div>
    </div>
  );
}
