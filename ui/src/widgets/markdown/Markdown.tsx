import { memo } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import { ExternalLink } from '../links/ExternalLink';
import classes from './Markdown.module.css';

/** Pictures would be fetched from wherever the server says; their words are shown instead. */
const SCHEMA = {
  ...defaultSchema,
  tagNames: (defaultSchema.tagNames ?? []).filter((name) => name !== 'img' && name !== 'input'),
};

const COMPONENTS: Components = {
  a: ({ href, children }) =>
    href === undefined || !/^(https?|mailto):/i.test(href) ? (
      <span title={href}>{children}</span>
    ) : (
      <ExternalLink url={href}>{children}</ExternalLink>
    ),
  img: ({ alt, src }) => <span>{`[picture: ${alt ?? ''} ${typeof src === 'string' ? src : ''}]`}</span>,
};

const REMARK = [remarkGfm];
const REHYPE: [[typeof rehypeSanitize, typeof SCHEMA]] = [[rehypeSanitize, SCHEMA]];

/** Longer texts are not laid out as Markdown: that would hold up the window. */
export const MARKDOWN_LIMIT = 100_000;

/** Markdown from a server: sanitised, without pictures, links only after asking. */
export const Markdown = memo(function Markdown({ text }: { text: string }) {
  return (
    <div className={`${classes.markdown} pb-selectable`}>
      <ReactMarkdown remarkPlugins={REMARK} rehypePlugins={REHYPE} components={COMPONENTS} skipHtml>
        {text}
      </ReactMarkdown>
    </div>
  );
});

/** Whether a text has something that Markdown would show better. */
export function looksLikeMarkdown(text: string): boolean {
  if (text.length > MARKDOWN_LIMIT) return false;
  return /(^|\n)(#{1,6} \S|```|\s*[-*] \S.*\n\s*[-*] \S|\d+\. \S.*\n\d+\. \S|\|.+\|\n\|[\s:|-]+\|)|\*\*\S[^*]*\*\*|\[[^\]]+\]\(https?:/.test(
    text,
  );
}
