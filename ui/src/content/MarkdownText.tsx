import { IconAlertTriangle } from '@tabler/icons-react';
import { useMemo } from 'react';
import { factsOf, parseFrontmatter, splitFrontmatter } from '../model/text/frontmatter';
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
  const parsed = useMemo(() => parseFrontmatter(yaml), [yaml]);
  if (parsed.type === 'invalid') {
    return (
      <div className={classes.frontmatter}>
        <p className={classes.invalid}>
          <IconAlertTriangle size={14} aria-hidden /> The frontmatter is not valid: {parsed.message}
        </p>
        <pre className="pb-selectable">{yaml.slice(0, MAX_SHOWN)}</pre>
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

/** How much of frontmatter that is not valid is shown, in characters. */
const MAX_SHOWN = 4_000;
