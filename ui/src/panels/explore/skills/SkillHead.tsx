import { IconAlertTriangle } from '@tabler/icons-react';
import type { SkillItem } from '../../../contract/generated';
import type { LoadedDefinition } from '../../../model/lists/skills/useSkillDefinition';
import { formatCount, formatSize } from '../../../model/text/format';
import { factsOf } from '../../../model/text/frontmatter';
import { Fact, Facts } from '../../../widgets/facts/Facts';
import { RecordLink } from '../../../widgets/links/RecordLink';
import { Violations } from '../../../widgets/status/Violations';
import panes from '../list/panes.module.css';
import classes from './skills.module.css';

interface SkillHeadProps {
  skill: SkillItem;
  loaded: LoadedDefinition;
  /** What is wrong with it, in sentences. */
  problems: readonly string[];
}

/** Shown as the title and the text below it. */
const SHOWN_ABOVE: ReadonlySet<string> = new Set(['name', 'description']);

/** What a server says about a skill. */
export function SkillHead({ skill, loaded, problems }: SkillHeadProps) {
  const frontmatter = loaded.state === 'ready' ? loaded.definition.frontmatter : null;
  const whole = frontmatter?.description;
  const description = typeof whole === 'string' ? whole : (skill.description ?? '');
  const facts = frontmatter === null ? [] : factsOf(frontmatter).filter(({ name }) => !SHOWN_ABOVE.has(name));
  return (
    <header className={classes.head}>
      <div className={classes.title}>
        <h2 className={`${panes.name} pb-selectable`} data-tip={skill.name.slice(0, 1_000)}>
          {skill.name === '' ? 'Unnamed skill' : skill.name}
        </h2>
        <span className={`${classes.facts} pb-num`}>
          {skill.fileCount !== null && formatCount(skill.fileCount, 'file')}
          {skill.totalSize !== null && ` · ${formatSize(skill.totalSize)}`}
          {skill.index < 0 && 'found in the resource list'}
        </span>
        <span className="pb-grow" />
        {loaded.state === 'ready' && <RecordLink seq={loaded.seq} label="Definition" />}
      </div>
      <div className={`${panes.uri} pb-selectable`}>{skill.uri}</div>
      {description !== '' && (
        <p className={`${classes.description} pb-selectable`}>{description.slice(0, 4_000)}</p>
      )}
      {facts.length > 0 && (
        <Facts names={110} size="small">
          {facts.map(({ name, text }) => (
            <Fact key={name} name={name.slice(0, 100)}>
              {text}
            </Fact>
          ))}
        </Facts>
      )}
      {[...problems, ...(loaded.state === 'failed' ? [loaded.message] : [])].map((problem) => (
        <p key={problem} className={classes.warn}>
          <IconAlertTriangle size={14} aria-hidden />
          {problem}
        </p>
      ))}
      {skill.violations.length > 0 && (
        <Violations items={skill.violations} label="Problems in the definition" />
      )}
    </header>
  );
}
