import type {
  ContentItem,
  ResultView,
  TextBody,
  ToolResultView,
  ViolationItem,
} from '../../../contract/generated';
import type { ReactNode } from 'react';
import { ContentView } from '../../../content/ContentView';
import { StructuredResult } from '../../../content/StructuredResult';
import { CodeView } from '../../../widgets/code/CodeView';
import { Violations } from '../../../widgets/status/Violations';
import { Banner } from './Banner';
import { Bounded } from './Bounded';
import { Messages } from './Messages';
import { Clamped } from '../../../widgets/text/Clamped';
import classes from './result.module.css';

interface ResultContentProps {
  view: ResultView;
  /** The result as received, shown for kinds without a specific view. */
  raw: TextBody;
  /** What the request is about; saved files are named after it. */
  name: string;
}

/** The content of a result by its kind: tool, resource, prompt, any other. */
export function ResultContent({ view, raw, name }: ResultContentProps) {
  switch (view.type) {
    case 'tool':
      return <ToolResult view={view.tool} name={name} />;
    case 'resource':
      return <Blocks items={view.contents} violations={view.violations} name={name} />;
    case 'prompt':
      return (
        <>
          <Notes note={view.description} violations={view.violations} />
          <Messages items={view.messages} name={name} />
          {view.messages.length === 0 && <p className={classes.note}>The prompt has no messages.</p>}
        </>
      );
    case 'any':
      return <CodeView body={raw} form="pretty" height="fill" label="Result" />;
  }
}

function ToolResult({ view, name }: { view: ToolResultView; name: string }) {
  const { isError, content, structured, structuredMissing, violations } = view;
  const hasStructured = structured !== null || structuredMissing;
  // Text that is JSON repeats the structured content for older clients; any other content is written to be read.
  const isTextFirst = content.some((item) => item.type !== 'text' || item.text.pretty === null);
  const structuredResult = hasStructured && (
    <StructuredResult view={structured} missing={structuredMissing} />
  );
  return (
    <Blocks
      items={content}
      violations={violations}
      name={name}
      hasMore={isError || hasStructured}
      after={isTextFirst && structuredResult}
    >
      {isError && (
        <Banner tone="warn" title="The tool reports an error (isError)">
          The tool ran and reported a failure.
        </Banner>
      )}
      {isTextFirst && !isError && (structuredMissing || structured?.check?.type === 'invalid') && (
        <Banner
          tone="error"
          title={
            structuredMissing
              ? 'Structured content is missing'
              : 'The structured content does not match the output schema'
          }
        >
          The details are below the content.
        </Banner>
      )}
      {!isTextFirst && structuredResult}
    </Blocks>
  );
}

/** Shown above the content of a result. */
function Notes({ note, violations }: { note: string | null; violations: ViolationItem[] }) {
  return (
    <>
      {note !== null && (
        <div className={`${classes.note} pb-selectable`}>
          <Clamped text={note} label="Description" />
        </div>
      )}
      {violations.length > 0 && (
        <div className={classes.violations}>
          <Violations items={violations} label="Problems in the result" />
        </div>
      )}
    </>
  );
}

interface BlocksProps {
  items: ContentItem[];
  violations: ViolationItem[];
  name: string;
  /** `children` or `after` has content as well. */
  hasMore?: boolean;
  /** Above the blocks. */
  children?: ReactNode;
  /** Below the blocks. */
  after?: ReactNode;
}

/** Content blocks below each other. A single block fills the pane. */
function Blocks({ items, violations, name, hasMore = false, children, after }: BlocksProps) {
  const isAlone = items.length === 1 && violations.length === 0 && !hasMore;
  return (
    <div className={isAlone ? classes.alone : classes.blocks}>
      <Notes note={null} violations={violations} />
      {children}
      <Bounded items={items} noun="block">
        {(item, index) => (
          <div className={isAlone ? classes.alone : undefined}>
            <ContentView item={item} index={index} count={items.length} name={name} fill={isAlone} />
          </div>
        )}
      </Bounded>
      {after}
      {items.length === 0 && !hasMore && <p className={classes.note}>The result has no content.</p>}
    </div>
  );
}
