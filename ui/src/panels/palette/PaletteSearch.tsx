import { IconSearch } from '@tabler/icons-react';
import {
  type KeyboardEvent,
  type ReactNode,
  useDeferredValue,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { Command, ServerCommand } from '../../model/workspace/commands';
import { useUi } from '../../model/workspace/context';
import { formatCount } from '../../model/text/format';
import classes from './Palette.module.css';
import { PaletteRow } from './PaletteRow';
import { type Found, type PaletteEntry, browse, search } from './search';
import type { GroupCommand } from '../../model/workspace/commands';
import { useSources } from './useSources';

/** The most entries shown. */
const MOST = 60;
/** How many entries a page key moves by. */
const PAGE = 10;

interface PaletteSearchProps {
  commands: readonly Command[];
  serverCommands: readonly ServerCommand[];
  groupCommands: readonly GroupCommand[];
  onChoose: (entry: PaletteEntry) => void;
}

/** The field of the palette and the entries that match it. */
export function PaletteSearch({ commands, serverCommands, groupCommands, onChoose }: PaletteSearchProps) {
  const [query, setQuery] = useState('');
  const [active, setActive] = useState(0);
  const recent = useUi((state) => state.recentEntries);
  const { sources, listing, isListing } = useSources(commands, serverCommands, groupCommands, query !== '');
  // Entries that arrive while the user types do not delay the next key.
  const current = useDeferredValue(sources);
  const results = useMemo(
    () =>
      query.trim() === ''
        ? browse(current, recent, MOST)
        : { ...search(current, query, recent, MOST), recent: 0 },
    [current, query, recent],
  );
  const { total } = results;
  const groups = useMemo(() => groupsOf(results.found, results.recent, query), [results, query]);
  const found = useMemo(() => groups.flatMap(({ items }) => items), [groups]);
  const keys = useMemo(() => keysOf(found), [found]);
  const at = Math.min(active, found.length - 1);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  // The dialog focuses it in a timer; keys that are typed before that belong in the field too.
  useLayoutEffect(() => field.current?.focus(), []);
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [at, found]);

  function onKeyDown(event: KeyboardEvent): void {
    // An input method that composes a character takes Enter and the arrows itself.
    if (event.nativeEvent.isComposing) return;
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: PAGE, PageUp: -PAGE }[event.key];
    if (by !== undefined) {
      event.preventDefault();
      // There is no place among no entries; some may still arrive.
      if (found.length === 0) return;
      const isStep = Math.abs(by) === 1;
      const next = isStep ? (at + by + found.length) % found.length : at + by;
      setActive(Math.min(Math.max(0, next), found.length - 1));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const entry = found[at]?.entry;
      if (entry !== undefined) onChoose(entry);
    }
  }

  const more = total - found.length;
  return (
    <div className={classes.palette}>
      <div className={classes.search}>
        <IconSearch size={16} aria-hidden />
        <input
          ref={field}
          className={classes.input}
          data-autofocus
          value={query}
          placeholder="Go to a server, tool, prompt, resource, panel or action"
          spellCheck={false}
          autoComplete="off"
          role="combobox"
          aria-label="Command palette"
          aria-autocomplete="list"
          aria-expanded
          aria-controls={`${id}-list`}
          aria-activedescendant={at >= 0 ? `${id}-${at}` : undefined}
          onChange={(event) => {
            setQuery(event.currentTarget.value);
            setActive(0);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div ref={list} id={`${id}-list`} className={classes.list} role="listbox" aria-label="Commands">
        {groups.map(({ name, from, items }) => (
          <Group key={name} name={name}>
            {items.map((item, i) => (
              <PaletteRow
                key={keys[from + i]}
                id={`${id}-${from + i}`}
                found={item}
                isActive={from + i === at}
                // The heading says what they are.
                hasKind={name === '' || name === 'Recent'}
                onChoose={onChoose}
              />
            ))}
          </Group>
        ))}
      </div>
      {found.length === 0 && <p className={classes.none}>{isListing ? 'No matches yet' : 'No matches'}</p>}
      <div className={classes.foot}>
        <span role="status" className="pb-num">
          {[
            query === '' ? null : formatCount(total, 'match', 'matches'),
            more > 0 ? `${formatCount(more)} more: keep typing` : null,
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
        {listing !== null && <span className={classes.listing}>{listing}</span>}
      </div>
    </div>
  );
}

function Group({ name, children }: { name: string; children: ReactNode }) {
  if (name === '') return children;
  return (
    <div role="group" aria-label={name}>
      <div className={classes.group} aria-hidden>
        {name}
      </div>
      {children}
    </div>
  );
}

/** What each entry is known by: a row that is pressed while further entries arrive stays that of its entry. */
function keysOf(found: readonly Found[]): string[] {
  const times = new Map<string, number>();
  return found.map(({ entry: { id } }) => {
    const before = times.get(id) ?? 0;
    times.set(id, before + 1);
    return `${before} ${id}`;
  });
}

interface EntryGroup {
  /** Empty for results of a search, which are in one order. */
  name: string;
  /** The index of its first entry. */
  from: number;
  items: Found[];
}

function groupsOf(found: Found[], recent: number, query: string): EntryGroup[] {
  if (query.trim() !== '') return [{ name: '', from: 0, items: found }];
  const groups = new Map<string, Found[]>();
  for (const [index, each] of found.entries()) {
    const name = index < recent ? 'Recent' : each.entry.group;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [each]);
    else group.push(each);
  }
  let from = 0;
  return [...groups].map(([name, items]) => {
    const group = { name, from, items };
    from += items.length;
    return group;
  });
}
