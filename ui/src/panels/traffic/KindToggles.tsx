import { type KeyboardEvent, useState } from 'react';
import { kindsOf, withKinds } from '../../model/traffic/filterText';
import { KIND_GROUPS, toggleKinds } from '../../model/traffic/kinds';
import { Toggle } from '../../widgets/controls/Toggle';
import { BarGroup } from '../../widgets/layout/Bar';

/** Buttons that write the `kind:` term of the filter. One stop of the Tab key: the arrow keys move between them. */
export function KindToggles({ filter, onChange }: { filter: string; onChange: (filter: string) => void }) {
  const [current, setCurrent] = useState(0);
  const shown = kindsOf(filter);
  const groups = [{ label: 'All', kinds: [] }, ...KIND_GROUPS];

  function onKeyDown(event: KeyboardEvent<HTMLButtonElement>): void {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (by === 0) return;
    event.preventDefault();
    const next = (current + by + groups.length) % groups.length;
    setCurrent(next);
    event.currentTarget.parentElement?.querySelectorAll('button')[next]?.focus();
  }

  return (
    <BarGroup label="Kinds of records">
      {groups.map(({ label, kinds }, i) => (
        <Toggle
          key={label}
          pressed={kinds.length === 0 ? shown.length === 0 : kinds.every((kind) => shown.includes(kind))}
          tabIndex={i === current ? 0 : -1}
          onFocus={() => setCurrent(i)}
          onKeyDown={onKeyDown}
          onChange={() => onChange(withKinds(filter, kinds.length === 0 ? [] : toggleKinds(shown, kinds)))}
        >
          {label}
        </Toggle>
      ))}
    </BarGroup>
  );
}
