import { type KeyboardEvent, useState } from 'react';
import { kindsOf, withKinds } from '../../model/traffic/filterText';
import { KIND_GROUPS, toggleKinds } from '../../model/traffic/kinds';
import { BarGroup } from '../../widgets/layout/Bar';
import classes from './TrafficPanel.module.css';

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
        <button
          key={label}
          type="button"
          className={classes.toggle}
          aria-pressed={kinds.length === 0 ? shown.length === 0 : kinds.every((kind) => shown.includes(kind))}
          tabIndex={i === current ? 0 : -1}
          onFocus={() => setCurrent(i)}
          onKeyDown={onKeyDown}
          onClick={() => onChange(withKinds(filter, kinds.length === 0 ? [] : toggleKinds(shown, kinds)))}
        >
          {label}
        </button>
      ))}
    </BarGroup>
  );
}
