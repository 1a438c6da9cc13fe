import { type ReactNode, useState } from 'react';
import type { ContentItem, TextBody } from '../contract/generated';
import { formatSize } from '../model/text/format';
import { CodeText, CodeView } from '../widgets/code/CodeView';
import { Markdown, looksLikeMarkdown } from '../widgets/markdown/Markdown';
import { Segments } from '../widgets/controls/Segments';
import { extensionOf, fileStem } from '../widgets/bytes/saveBytes';
import { AudioContent, BlobContent, ImageContent } from './MediaContent';
import { ResourceLinkCard } from './ResourceLinkCard';
import classes from './content.module.css';

interface ContentViewProps {
  item: ContentItem;
  /** Its position in `content`. */
  index: number;
  count: number;
  /** Saved files are named after it. */
  name: string;
  /** It is the only block and fills the pane. */
  fill: boolean;
}

/** One content block of a result, a resource or a prompt message, rendered by its type. */
export function ContentView({ item, index, count, name, fill }: ContentViewProps) {
  const fileName = (mimeType: string | null): string =>
    `${fileStem(name)}-${index + 1}.${extensionOf(mimeType)}`;
  const frame = { index, count, annotations: 'annotationsJson' in item ? item.annotationsJson : null, fill };
  switch (item.type) {
    case 'text':
      return <TextContent {...frame} kind="text" text={item.text} />;
    case 'image':
      return (
        <Block {...frame} kind="image" facts={`${item.mimeType} · ${formatSize(item.size)}`}>
          <ImageContent body={item.body} mimeType={item.mimeType} fileName={fileName(item.mimeType)} />
        </Block>
      );
    case 'audio':
      return (
        <Block {...frame} kind="audio" facts={`${item.mimeType} · ${formatSize(item.size)}`}>
          <AudioContent body={item.body} mimeType={item.mimeType} fileName={fileName(item.mimeType)} />
        </Block>
      );
    case 'resourceLink':
      return (
        <Block {...frame} kind="resource_link">
          <ResourceLinkCard link={item} />
        </Block>
      );
    case 'resourceText':
      return (
        <TextContent
          {...frame}
          kind="resource"
          text={item.text}
          facts={[item.uri, item.mimeType].filter(Boolean).join(' · ')}
        />
      );
    case 'resourceBlob':
      return (
        <Block
          {...frame}
          kind="resource"
          facts={[item.uri, item.mimeType, formatSize(item.size)].filter(Boolean).join(' · ')}
        >
          {item.mimeType?.startsWith('image/') === true ? (
            <ImageContent body={item.body} mimeType={item.mimeType} fileName={fileName(item.mimeType)} />
          ) : item.mimeType?.startsWith('audio/') === true ? (
            <AudioContent body={item.body} mimeType={item.mimeType} fileName={fileName(item.mimeType)} />
          ) : (
            <BlobContent body={item.body} mimeType={item.mimeType} fileName={fileName(item.mimeType)} />
          )}
        </Block>
      );
    case 'unknown':
      return (
        <Block {...frame} kind={item.kind ?? 'no type'} facts={item.reason} tone="warn">
          <CodeView body={item.json} form="pretty" label="Content block as received" />
        </Block>
      );
  }
}

interface BlockProps {
  index: number;
  count: number;
  kind: string;
  facts?: string;
  annotations: string | null;
  tone?: 'warn';
  tools?: ReactNode;
  fill: boolean;
  children: ReactNode;
}

function Block({ index, count, kind, facts, annotations, tone, tools, fill, children }: BlockProps) {
  return (
    <section
      className={fill ? classes.blockFill : classes.block}
      aria-label={count > 1 ? `Content ${index + 1} of ${count}: ${kind}` : `Content: ${kind}`}
    >
      <div className={classes.blockHead}>
        <span className={classes.blockKind}>{count > 1 ? `${index + 1} · ${kind}` : kind}</span>
        {facts !== undefined && (
          <span className={`${classes.blockFacts} pb-selectable`} data-tone={tone} data-tip={facts}>
            {facts}
          </span>
        )}
        <span className={classes.grow} />
        {annotations !== null && (
          <code className={classes.annotations} data-tip={`annotations: ${annotations}`}>
            {annotations}
          </code>
        )}
        {tools}
      </div>
      {children}
    </section>
  );
}

type TextProps = Omit<BlockProps, 'children' | 'tools'> & { text: TextBody };

type TextView = 'plain' | 'markdown' | 'json';

function TextContent({ text, ...frame }: TextProps) {
  const views = viewsOf(text);
  const [view, setView] = useState<TextView>(views[0] ?? 'plain');
  const tools =
    views.length > 1 ? (
      <Segments
        label="Show text as"
        value={view}
        onChange={(value) => setView(value)}
        segments={views.map((value) => ({
          value,
          label: { plain: 'Text', markdown: 'Markdown', json: 'JSON' }[value],
        }))}
      />
    ) : undefined;
  return (
    <Block {...frame} facts={frame.facts ?? formatSize(text.size)} tools={tools}>
      <div className={frame.fill ? classes.fillBody : undefined}>
        <Text text={text} view={view} fill={frame.fill} />
      </div>
    </Block>
  );
}

function Text({ text, view, fill }: { text: TextBody; view: TextView; fill: boolean }) {
  const height = fill ? 'fill' : undefined;
  if (view === 'markdown') {
    return (
      <div className={classes.markdown}>
        <Markdown text={text.inline ?? ''} />
      </div>
    );
  }
  if (view === 'json') return <CodeView body={text} form="pretty" height={height} label="Text as JSON" />;
  if (text.inline !== null) {
    if (text.inline === '') return <p className={classes.note}>Empty text</p>;
    return (
      <CodeText
        text={text.inline}
        language="plain"
        label="Text"
        height={height}
        numbered={text.inline.includes('\n')}
      />
    );
  }
  return <CodeView body={{ ...text, pretty: null }} form="raw" height={height} label="Text" />;
}

/** The useful views, the best first. */
function viewsOf(text: TextBody): TextView[] {
  if (text.pretty !== null) return ['json', 'plain'];
  if (text.inline !== null && looksLikeMarkdown(text.inline)) return ['markdown', 'plain'];
  return ['plain'];
}
