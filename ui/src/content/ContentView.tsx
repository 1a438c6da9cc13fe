import { type ReactNode, useMemo, useState } from 'react';
import type { ContentItem, TextBody } from '../contract/generated';
import { formatSize } from '../model/text/format';
import { IconDownload } from '@tabler/icons-react';
import { textOf } from '../model/text/textOf';
import { useHost } from '../model/workspace/context';
import { CodeText, CodeView } from '../widgets/code/CodeView';
import { Failed, Waiting } from '../widgets/status/Waiting';
import type { CodeLanguage } from '../widgets/code/codeSetup';
import { languageOf } from '../widgets/code/languages';
import { useBodyText } from '../widgets/code/useBodyText';
import { looksLikeMarkdown } from '../model/text/markdown/detect';
import { MARKDOWN_LIMIT } from '../model/text/markdown/parser';
import { IconButton } from '../widgets/controls/IconButton';
import { Segments } from '../widgets/controls/Segments';
import { useCopy } from '../widgets/controls/useCopy';
import { extensionOf, fileStem, resourceFileName, saveBytes } from '../widgets/bytes/saveBytes';
import { BlobContent } from './BlobContent';
import { annotationsInWords } from '../model/text/annotations';
import { CsvContent, TABLE_LIMIT, isCsv } from './CsvContent';
import { MarkdownText } from './MarkdownText';
import { ResourceLinkCard } from './links/ResourceLinkCard';
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
  /** Shown at the beginning of its first line. */
  lead?: ReactNode;
  /** Shown at the end of its first line. */
  actions?: ReactNode;
}

/** One content block of a result, a resource or a prompt message, rendered by its type. */
export function ContentView({ item, index, count, name, fill, lead, actions }: ContentViewProps) {
  const fileName = (mimeType: string | null): string =>
    'uri' in item && item.type !== 'resourceLink'
      ? resourceFileName(item.uri, mimeType)
      : `${fileStem(name)}-${index + 1}.${extensionOf(mimeType)}`;
  const annotations = 'annotationsJson' in item ? item.annotationsJson : null;
  const frame = { index, count, annotations, fill, lead, actions };
  switch (item.type) {
    case 'text':
      return <TextContent {...frame} kind="text" text={item.text} fileName={fileName('text/plain')} />;
    case 'image':
    case 'audio':
      return (
        <Block {...frame} kind={item.type} facts={`${item.mimeType} · ${formatSize(item.size)}`}>
          <BlobContent
            body={item.body}
            mimeType={item.mimeType}
            fileName={fileName(item.mimeType)}
            fill={fill}
          />
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
          mimeType={item.mimeType}
          uri={item.uri}
          fileName={fileName(item.mimeType ?? 'text/plain')}
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
          <BlobContent
            body={item.body}
            mimeType={item.mimeType}
            fileName={fileName(item.mimeType)}
            fill={fill}
          />
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
  lead: ReactNode;
  actions: ReactNode;
  children: ReactNode;
}

function Block(props: BlockProps) {
  const { index, count, kind, facts, annotations, tone, tools, fill, lead, actions, children } = props;
  const inWords = useMemo(() => annotations !== null && annotationsInWords(annotations), [annotations]);
  return (
    <section
      className={fill ? classes.blockFill : classes.block}
      aria-label={count > 1 ? `Content ${index + 1} of ${count}: ${kind}` : `Content: ${kind}`}
    >
      <div className={classes.blockHead}>
        {lead}
        <span className={classes.blockKind}>{count > 1 ? `${index + 1} · ${kind}` : kind}</span>
        {facts !== undefined && (
          <span className={`${classes.blockFacts} pb-selectable`} data-tone={tone} data-tip={facts}>
            {facts}
          </span>
        )}
        <span className="pb-grow" />
        {annotations !== null && (
          <span className={classes.annotations} data-tip={`annotations: ${annotations.slice(0, 1000)}`}>
            {inWords}
          </span>
        )}
        {tools}
        {actions}
      </div>
      {children}
    </section>
  );
}

type TextProps = Omit<BlockProps, 'children' | 'tools'> & {
  text: TextBody;
  mimeType?: string | null;
  uri?: string;
  fileName: string;
};

type TextView = 'plain' | 'markdown' | 'json' | 'table';

const VIEW_LABELS: Record<TextView, string> = {
  plain: 'Text',
  markdown: 'Markdown',
  json: 'JSON',
  table: 'Table',
};

function TextContent({ text, mimeType = null, uri, fileName, ...frame }: TextProps) {
  const host = useHost();
  const views = useMemo(() => viewsOf(text, mimeType, uri), [text, mimeType, uri]);
  const [chosen, setChosen] = useState<TextView | null>(null);
  const view = chosen !== null && views.includes(chosen) ? chosen : (views[0] ?? 'plain');
  const { words, attempt } = useCopy(`Save as ${fileName}`);
  const save = (): Promise<void> =>
    attempt(async () => saveBytes(await textOf(host, text), fileName, mimeType ?? 'text/plain'));
  const tools = (
    <>
      {views.length > 1 && (
        <Segments
          label="Show text as"
          value={view}
          onChange={(value) => setChosen(value)}
          segments={views.map((value) => ({ value, label: VIEW_LABELS[value] }))}
        />
      )}
      <IconButton icon={IconDownload} label={words} onClick={() => void save()} />
    </>
  );
  return (
    <Block {...frame} facts={frame.facts ?? formatSize(text.size)} tools={tools}>
      {/* Code has a focus of its own; Markdown is scrolled by keys too. */}
      <div
        className={frame.fill ? classes.fillBody : undefined}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={frame.fill && view === 'markdown' ? 0 : undefined}
      >
        <Text text={text} view={view} language={languageOf(mimeType, uri) ?? 'plain'} fill={frame.fill} />
      </div>
    </Block>
  );
}

interface TextBodyProps {
  text: TextBody;
  view: TextView;
  language: CodeLanguage;
  fill: boolean;
}

function Text({ text, view, language, fill }: TextBodyProps) {
  const height = fill ? 'fill' : undefined;
  if (view === 'markdown') {
    return <MarkdownText text={text.inline ?? ''} />;
  }
  if (view === 'table') return <Table text={text} fill={fill} />;
  if (view === 'json') return <CodeView body={text} form="pretty" height={height} label="Text as JSON" />;
  if (text.inline !== null) {
    if (text.inline === '') return <p className={classes.note}>Empty text</p>;
    return (
      <CodeText
        text={text.inline}
        language={language}
        label="Text"
        height={height}
        numbered={text.inline.includes('\n')}
      />
    );
  }
  return (
    <CodeView body={{ ...text, pretty: null }} form="raw" height={height} label="Text" language={language} />
  );
}

function Table({ text, fill }: { text: TextBody; fill: boolean }) {
  const loaded = useBodyText(text, 'raw');
  if (loaded.state === 'failed') return <Failed error={loaded.error} />;
  if (loaded.state === 'loading') return <Waiting text="Loading table…" />;
  return <CsvContent text={loaded.value} fill={fill} />;
}

/** The useful views, the best first. */
function viewsOf(text: TextBody, mimeType: string | null, uri = ''): TextView[] {
  if (isCsv(mimeType, uri) && text.size <= TABLE_LIMIT) return ['table', 'plain'];
  if (text.pretty !== null) return ['json', 'plain'];
  if (text.inline === null || text.inline.length > MARKDOWN_LIMIT) return ['plain'];
  if (mimeType !== null && /^text\/(x-)?markdown\b/i.test(mimeType)) return ['markdown', 'plain'];
  // HTML is shown as source. The type is guessed only for plain text and where none is declared.
  if (mimeType !== null && !/^text\/plain\b/i.test(mimeType)) return ['plain'];
  return looksLikeMarkdown(text.inline) ? ['markdown', 'plain'] : ['plain'];
}
