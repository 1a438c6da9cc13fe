import { Group } from '@mantine/core';
import { IconRestore } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useModel, useUi } from '../../model/workspace/context';
import { FilterInput } from '../../widgets/controls/FilterInput';
import { IconButton } from '../../widgets/controls/IconButton';
import { EmptyState } from '../../widgets/layout/EmptyState';
import { CancelButton, GuardedModal } from '../../widgets/layout/GuardedModal';
import { SideDialog, SideList, SidePage } from '../../widgets/layout/SideList';
import classes from './SettingsDialog.module.css';
import { SETTINGS, type Setting, defaultsOf, found, isChanged } from './settings';

interface SettingsDialogProps {
  /** The words that are searched at first. */
  search?: string | undefined;
  onClose: () => void;
}

/** Everything that can be set, in one place: sections on the left, their settings on the right, searched by words. */
export function SettingsDialog({ search = '', onClose }: SettingsDialogProps) {
  const [query, setQuery] = useState(search);
  const shown = found(query);
  /** What was found before keeps what was entered, unseen. */
  const [seen, setSeen] = useState<ReadonlySet<Setting>>(() => new Set(shown));
  if (shown.some((setting) => !seen.has(setting))) setSeen(new Set([...seen, ...shown]));
  const drawn = SETTINGS.filter((setting) => seen.has(setting));
  const sections = [...new Set(shown.map(({ section }) => section))];
  const { page, current, show, onScroll } = useCurrentSection();
  return (
    <GuardedModal onClose={onClose} title="Settings" size={880} stackId="settings">
      <SideDialog
        width={200}
        label="Sections"
        search={
          <FilterInput
            label="Search settings"
            value={query}
            onChange={(words) => {
              setQuery(words);
              show(undefined);
            }}
            delayMs={0}
            width="100%"
            takesFocus
          />
        }
        contents={
          <SideList
            entries={sections.map((section) => ({ key: section, label: section }))}
            current={sections.find((section) => section === current) ?? sections[0]}
            of="location"
            onShow={show}
          />
        }
      >
        <SidePage ref={page} onScroll={onScroll}>
          {[...new Set(drawn.map(({ section }) => section))].map((section) => (
            <section
              key={section}
              className={classes.part}
              aria-label={section}
              data-section={section}
              hidden={!sections.includes(section)}
            >
              <h3 className={classes.section}>{section}</h3>
              {drawn
                .filter((setting) => setting.section === section)
                .map((setting) => (
                  <Row key={setting.id} setting={setting} hidden={!shown.includes(setting)} />
                ))}
            </section>
          ))}
          {shown.length === 0 && (
            <EmptyState
              title="No matching settings"
              text="The settings of a server are in its Edit dialog."
            />
          )}
        </SidePage>
      </SideDialog>
      <Group justify="flex-end" gap="xs">
        <CancelButton onlyLeaving />
      </Group>
    </GuardedModal>
  );
}

/** The section at the top of the page, or the one that was chosen for as long as it is in view. */
function useCurrentSection() {
  const page = useRef<HTMLElement>(null);
  const [current, setCurrent] = useState<string>();
  const chosen = useRef<Element>(undefined);
  const sections = () => [
    ...(page.current?.querySelectorAll<HTMLElement>('[data-section]:not([hidden])') ?? []),
  ];

  function show(section: string | undefined): void {
    chosen.current = sections().find((each) => each.dataset.section === section);
    setCurrent(section);
    if (section === undefined) page.current?.scrollTo({ top: 0 });
    else chosen.current?.scrollIntoView({ block: 'start' });
  }

  function onScroll(): void {
    if (page.current === null) return;
    const { top, bottom } = page.current.getBoundingClientRect();
    // The last sections cannot reach the top of the page.
    const place = chosen.current?.getBoundingClientRect();
    const atEnd = page.current.scrollTop + page.current.clientHeight >= page.current.scrollHeight - 1;
    if (atEnd && place !== undefined && place.top >= top && place.top < bottom) return;
    chosen.current = undefined;
    const passed = sections().findLast((each) => each.getBoundingClientRect().top <= top + PASSED);
    setCurrent(passed?.dataset.section);
  }

  return { page, current, show, onScroll };
}

/** A section is the current one from this many pixels below the top of the page. */
const PASSED = 24;

function Row({ setting, hidden }: { setting: Setting; hidden: boolean }) {
  const { ui } = useModel();
  const changed = useUi((state) => isChanged(setting, state));
  const { title, text, wide = false, Control } = setting;
  return (
    <div
      className={classes.row}
      data-wide={wide || undefined}
      role="group"
      aria-label={title}
      hidden={hidden}
    >
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
