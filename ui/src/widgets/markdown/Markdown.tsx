import { Button } from '@mantine/core';
import { toJsxRuntime } from 'hast-util-to-jsx-runtime';
import { type ComponentProps, type ReactNode, createContext, memo, use, useEffect, useState } from 'react';
import { Fragment, jsx, jsxs } from 'react/jsx-runtime';
import type { ParsedMarkdown } from '../../model/text/markdown/parser';
import { MAX_BLOCK, type MarkdownBlock } from '../../model/text/markdown/blocks';
import { formatCount } from '../../model/text/format';
import { useModel } from '../../model/workspace/context';
import { ExternalLink } from '../links/ExternalLink';
import classes from './Markdown.module.css';

/** A heading of a text, two levels lower: the window and the part that shows the text have those above. */
function heading(depth: number) {
  const Tag = `h${Math.min(6, depth + 2)}` as 'h3' | 'h4' | 'h5' | 'h6';
  return ({ children }: ComponentProps<'h1'>) => <Tag data-depth={depth}>{children}</Tag>;
}

/** Images would be fetched from addresses the server chooses; their addresses are shown instead. */
const COMPONENTS = {
  h1: heading(1),
  h2: heading(2),
  h3: heading(3),
  h4: heading(4),
  h5: heading(5),
  h6: heading(6),
  a: MarkdownLink,
  img: ({ alt, src }: ComponentProps<'img'>) => (
    <span className={classes.image} role="note">
      {['Image not loaded', alt, typeof src === 'string' ? src : ''].filter(Boolean).join(' · ')}
    </span>
  ),
};

/** What follows the links of our own pages to each other; texts of servers have none. */
const OnLink = createContext<((href: string) => void) | undefined>(undefined);

function MarkdownLink({ href, children }: ComponentProps<'a'>) {
  const onLink = use(OnLink);
  if (href !== undefined && isOpened(href)) return <ExternalLink url={href}>{children}</ExternalLink>;
  if (href === undefined || onLink === undefined) return <span title={href}>{children}</span>;
  return (
    <a
      href={href}
      onClick={(event) => {
        event.preventDefault();
        onLink(href);
      }}
    >
      {children}
    </a>
  );
}

/** Web pages, and mail to an address: other parts of a mail, such as its attachments, are not for a server to choose. */
function isOpened(href: string): boolean {
  return /^https?:/i.test(href) || /^mailto:[^?]*$/i.test(href);
}

/**
 * Markdown from a server: sanitised, images are not loaded, links open only after confirmation. It is parsed in the
 * background; what is too large or too complex is shown as it was written.
 */
export function Markdown({ text, onLink }: { text: string; onLink?: (href: string) => void }) {
  const parsed = useParsed(text);
  // Mostly for some milliseconds: kept invisible at first, so that nothing flickers.
  if (parsed === null) return <pre className={classes.pending}>{text.slice(0, MAX_PENDING)}</pre>;
  if (parsed.type === 'tree') {
    return (
      <OnLink value={onLink}>
        <Blocks key={text} blocks={parsed.blocks} />
      </OnLink>
    );
  }
  return (
    <div className={`${classes.markdown} pb-selectable`}>
      <p className={classes.note} role="note">
        {parsed.type === 'failed'
          ? `Shown as plain text: the Markdown could not be parsed (${parsed.reason}).`
          : 'Shown as plain text: this Markdown is too complex to render.'}
      </p>
      {/* `drawn` cuts it, and says by how much. */}
      <pre className={classes.source}>{text}</pre>
    </div>
  );
}

/** How much of a text is drawn while it is parsed, in characters. */
const MAX_PENDING = 20_000;

/** Parts that are drawn at once; the others on request. */
const SHOWN = 1_000;

function Blocks({ blocks }: { blocks: MarkdownBlock[] }) {
  const [limit, setLimit] = useState(SHOWN);
  const count = countWithin(blocks, limit);
  const left = blocks.length - count;
  return (
    <div className={`${classes.markdown} pb-selectable`}>
      {blocks.slice(0, count).map((block, index) => (
        // The blocks of a text have no identity but their place.
        // oxlint-disable-next-line react/no-array-index-key
        <Block key={index} block={block} />
      ))}
      {left > 0 && (
        <Button variant="default" size="compact-xs" onClick={() => setLimit(limit + MAX_BLOCK)}>
          {`Show more (${formatCount(left, 'block')} left)`}
        </Button>
      )}
    </div>
  );
}

/** How many blocks are drawn within a number of parts; at least one. */
function countWithin(blocks: readonly MarkdownBlock[], limit: number): number {
  let parts = 0;
  const beyond = blocks.findIndex(({ size }) => {
    parts += size;
    return parts > limit;
  });
  return beyond < 0 ? blocks.length : Math.max(1, beyond);
}

const Block = memo(function Block({ block }: { block: MarkdownBlock }) {
  const content = toJsxRuntime(block.element, {
    Fragment,
    jsx,
    jsxs,
    components: COMPONENTS,
    ignoreInvalidStyle: true,
  }) as ReactNode;
  if (!block.isSource) return content;
  return (
    <>
      <p className={classes.note} role="note">
        Shown as plain text: this part is too large to render.
      </p>
      {content}
    </>
  );
});

/** The parsed text; null while it is being parsed. */
function useParsed(text: string): ParsedMarkdown | null {
  const { markdown } = useModel();
  const [latest, setLatest] = useState<{ text: string; parsed: ParsedMarkdown } | null>(null);
  const known = latest?.text === text ? latest.parsed : markdown.known(text);
  useEffect(() => {
    if (known !== undefined) return undefined;
    const controller = new AbortController();
    void markdown.parse(text, controller.signal).then((parsed) => {
      if (!controller.signal.aborted) setLatest({ text, parsed });
    });
    return () => controller.abort();
  }, [markdown, text, known]);
  return known ?? null;
}
