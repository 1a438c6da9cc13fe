import { useEffect, useState } from 'react';
import type { ListItemGetResponse, PromptItem, ServerId } from '../../../contract/generated';
import { useHost } from '../../../model/workspace/context';
import { RecordLink } from '../../../widgets/links/RecordLink';
import { Violations } from '../../../widgets/status/Violations';
import classes from './prompts.module.css';

interface PromptHeadProps {
  serverId: ServerId;
  name: string;
  item: PromptItem | undefined;
}

/** What a server says about a prompt. A row has the beginning of the description; the definition has all of it. */
export function PromptHead({ serverId, name, item }: PromptHeadProps) {
  const host = useHost();
  const [definition, setDefinition] = useState<{ item: PromptItem; got: ListItemGetResponse } | null>(null);
  useEffect(() => {
    if (item === undefined) return undefined;
    let wanted = true;
    host.call('list_item_get', { serverId, list: 'prompts', index: item.index }).then(
      (got) => wanted && setDefinition({ item, got }),
      // The row has enough to work with.
      () => undefined,
    );
    return () => {
      wanted = false;
    };
  }, [host, serverId, item]);
  const got = definition !== null && definition.item === item ? definition.got : null;
  const description = got?.description ?? item?.description ?? null;
  const title = item?.title ?? null;
  return (
    <header className={classes.head}>
      <div className={classes.title}>
        <h2 className={`${classes.name} pb-selectable`} data-tip={name.slice(0, 1_000)}>
          {name === '' ? 'Prompt without a name' : name}
        </h2>
        {title !== null && title !== name && <span className={classes.alias}>{title}</span>}
        <span className={classes.grow} />
        {got !== null && <RecordLink seq={got.seq} label="Definition" />}
      </div>
      {description !== null && description !== '' && (
        <p className={`${classes.description} pb-selectable`}>{description}</p>
      )}
      {item !== undefined && item.violations.length > 0 && (
        <Violations items={item.violations} label="Problems in the definition" />
      )}
    </header>
  );
}
