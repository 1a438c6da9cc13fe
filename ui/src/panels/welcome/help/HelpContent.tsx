import { TextInput } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import {
  linkedPage,
  parseContents,
  searchPages,
  withoutPictures,
  type HelpEntry,
  type HelpMatch,
} from '../../../model/workspace/helpPage';
import { IconButton } from '../../../widgets/controls/IconButton';
import { SideDialog, SideList, SidePage } from '../../../widgets/layout/SideList';
import { listBeside } from '../../../widgets/focus/listFocus';
import { Markdown } from '../../../widgets/markdown/Markdown';
import classes from './help.module.css';
import { PAGES } from './pages';

const CONTENTS = parseContents(PAGES['SUMMARY.md'] ?? '');
const RULES = 'reference/rules/';

interface HelpContentProps {
  page: string;
  onShow: (page: string) => void;
}

/** The contents or what was found on the left, the page on the right. */
export function HelpContent({ page, onShow }: HelpContentProps) {
  const [query, setQuery] = useState('');
  const [before, setBefore] = useState<string[]>([]);
  const scroll = useRef<HTMLElement>(null);
  // The dialog had given the focus to its close button: this part was not there yet.
  const search = useRef<HTMLInputElement>(null);
  useEffect(() => search.current?.focus(), []);

  // In braces: browsers return a promise, which would be taken for the end of the effect.
  useEffect(() => {
    scroll.current?.scrollTo(0, 0);
  }, [page]);
  const found = useMemo(() => searchPages(CONTENTS, PAGES, query), [query]);
  const text = useMemo(() => withoutPictures(PAGES[page] ?? ''), [page]);

  const go = (path: string): void => {
    if (path === page) return;
    setBefore([...before, page]);
    onShow(path);
  };
  const back = (): void => {
    const last = before.at(-1);
    if (last === undefined) return;
    setBefore(before.slice(0, -1));
    onShow(last);
  };

  return (
    <SideDialog
      width={260}
      label="Pages"
      search={
        <>
          <IconButton icon={IconArrowLeft} label="Back" disabled={before.length === 0} onClick={back} />
          <TextInput
            aria-label="Search the documentation"
            ref={search}
            placeholder="Search"
            value={query}
            onChange={({ currentTarget }) => setQuery(currentTarget.value)}
            onKeyDown={toContents}
            style={{ flex: 1 }}
          />
        </>
      }
      contents={
        query.trim() === '' ? (
          <Entries entries={CONTENTS.filter(({ path }) => !path.startsWith(RULES))} page={page} onShow={go} />
        ) : found.length > 0 ? (
          <Entries entries={found} page={page} onShow={go} />
        ) : (
          <p className={classes.none}>{`No results for “${query.trim()}”.`}</p>
        )
      }
    >
      <SidePage
        ref={scroll}
        aria-label="Page"
        // It scrolls with the keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
      >
        {text === '' ? (
          <p>{`Page not found: ${page}. Search for it on the left.`}</p>
        ) : (
          <Markdown
            text={text}
            onLink={(href) => {
              const linked = linkedPage(page, href);
              if (linked !== undefined) go(linked);
            }}
          />
        )}
      </SidePage>
    </SideDialog>
  );
}

/** The down arrow goes to the contents below the search. */
function toContents(event: KeyboardEvent<HTMLElement>): void {
  const entry =
    event.key === 'ArrowDown' && !event.nativeEvent.isComposing ? listBeside(event.currentTarget) : null;
  if (entry === null) return;
  event.preventDefault();
  entry.focus();
}

interface EntriesProps {
  entries: readonly (HelpEntry | HelpMatch)[];
  page: string;
  onShow: (page: string) => void;
}

function Entries({ entries, page, onShow }: EntriesProps) {
  const listed = entries.map((entry) => ({
    key: entry.path,
    label: entry.title,
    depth: entry.depth,
    ...('excerpt' in entry && { detail: entry.excerpt }),
  }));
  return <SideList entries={listed} current={page} of="page" onShow={onShow} />;
}
