import type { PromptItem, ServerId } from '../../../contract/generated';
import { ownTitle } from '../../../model/lists/titles';
import { RecordLink } from '../../../widgets/links/RecordLink';
import { Violations } from '../../../widgets/status/Violations';
import { useDefinition } from '../list/useDefinition';
import { Clamped } from '../../../widgets/text/Clamped';
import panes from '../list/panes.module.css';
import classes from './prompts.module.css';

interface PromptHeadProps {
  serverId: ServerId;
  name: string;
  item: PromptItem | undefined;
}

/** What a server says about a prompt. A row has the beginning of the description; the definition has all of it. */
export function PromptHead({ serverId, name, item }: PromptHeadProps) {
  const got = useDefinition(serverId, 'prompts', item);
  const description = got?.description ?? item?.description ?? null;
  const title = ownTitle(name, item?.title ?? null);
  return (
    <header className={classes.head}>
      <div className={classes.title}>
        {item !== undefined && item.icon !== null && <img src={item.icon} alt="" className={panes.icon} />}
        <h2 className={`${panes.name} pb-selectable`} data-tip={name.slice(0, 1_000)}>
          {name === '' ? 'Unnamed prompt' : name}
        </h2>
        {title !== null && <span className={classes.alias}>{title}</span>}
        <span className="pb-grow" />
        {got !== null && <RecordLink seq={got.seq} label="Definition" />}
      </div>
      {description !== null && description !== '' && (
        <div className={`${classes.description} pb-selectable`}>
          <Clamped text={description} label="Description" />
        </div>
      )}
      {item !== undefined && item.violations.length > 0 && (
        <Violations items={item.violations} label="Problems in the definition" />
      )}
    </header>
  );
}
