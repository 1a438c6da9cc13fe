import { memo } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import { ExternalLink } from '../links/ExternalLink';
import classes from './Markdown.module.css';

/** Images would be fetched from addresses the server chooses; `COMPONENTS` shows those instead. */
const SCHEMA = {
  ...defaultSchema,
  tagNames: (defaultSchema.tagNames ?? []).filter((name) => name !== 'input'),
};

const COMPONENTS: Components = {
  a: ({ href, children }) =>
    href === undefined || !/^(https?|mailto):/i.test(href) ? (
      <span title={href}>{children}</span>
    ) : (
      <ExternalLink url={href}>{children}</ExternalLink>
    ),
  img: ({ alt, src }) => (
    <span className={classes.image} role="note">
      {['Image not loaded', alt, typeof src === 'string' ? src : ''].filter(Boolean).join(' · ')}
    </span>
  ),
};

const REMARK = [remarkGfm];
const REHYPE: [[typeof rehypeSanitize, typeof SCHEMA]] = [[rehypeSanitize, SCHEMA]];

/** Longer texts are not rendered as Markdown, which would block the window. */
export const MARKDOWN_LIMIT = 100_000;

/** Markdown from a server: sanitised, images are not loaded, links open only after confirmation. */
export const Markdown = memo(function Markdown({ text }: { text: string }) {
  return (
    <div className={`${classes.markdown} pb-selectable`}>
      <ReactMarkdown remarkPlugins={REMARK} rehypePlugins={REHYPE} components={COMPONENTS} skipHtml>
        {text}
      </ReactMarkdown>
    </div>
  );
});

/** Whether a text contains Markdown syntax. */
export function looksLikeMarkdown(text: string): boolean {
  if (text.length > MARKDOWN_LIMIT) return false;
  return /(^|\n)(#{1,6} \S|```|\s*[-*] \S.*\n\s*[-*] \S|\d+\. \S.*\n\d+\. \S|\|.+\|\n\|[\s:|-]+\|)|\*\*\S[^*]*\*\*|\[[^\]]+\]\(https?:/.test(
    text,
  );
}
