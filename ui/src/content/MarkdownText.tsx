import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect, useMemo, useState } from 'react';
import { type Frontmatter as Parsed, factsOf, splitFrontmatter } from '../model/text/frontmatter';
import { useModel } from '../model/workspace/context';
import { Fact, Facts } from '../widgets/facts/Facts';
import { Markdown } from '../widgets/markdown/Markdown';
import classes from './content.module.css';

/** Markdown, with its YAML frontmatter as a table above it. */
export function MarkdownText({ text }: { text: string }) {
  const { yaml, body } = useMemo(() => splitFrontmatter(text), [text]);
  return (
    <div className={classes.markdown}>
      {yaml !== null && <Frontmatter yaml={yaml} />}
      <Markdown text={body} />
    </div>
  );
}

function Frontmatter({ yaml }: { yaml: string }) {
  const { markdown } = useModel();
  const [latest, setLatest] = useState<{ yaml: string; parsed: Parsed } | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    void markdown.frontmatter(yaml, controller.signal).then((parsed) => {
      if (!controller.signal.aborted) setLatest({ yaml, parsed });
    });
    return () => controller.abort();
  }, [markdown, yaml]);
  // Mostly for some milliseconds.
  if (latest?.yaml !== yaml) return null;
  const { parsed } = latest;
  if (parsed.type !== 'object') {
    return (
      <div className={classes.frontmatter}>
        <p className={classes.invalid}>
          <IconAlertTriangle size={14} aria-hidden /> The frontmatter{' '}
          {parsed.type === 'invalid' ? 'is not valid' : 'was not read'}: {parsed.message}
        </p>
        {/* `drawn` cuts it, and says by how much. */}
        <pre className="pb-selectable">{yaml}</pre>
      </div>
    );
  }
  const facts = factsOf(parsed.value);
  return (
    facts.length > 0 && (
      <section className={classes.frontmatter} aria-label="Frontmatter">
        <Facts names={120} size="small">
          {facts.map(({ name, text }) => (
            <Fact key={name} name={name.slice(0, 100)}>
              {text}
            </Fact>
          ))}
        </Facts>
      </section>
    )
  );
}
