import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { ServerId, ToolDefinitionDiffResponse } from '../../../../contract/generated';
import { commandError } from '../../../../model/store/errors';
import { formatCount } from '../../../../model/text/format';
import { useHost } from '../../../../model/workspace/context';
import { CodeText } from '../../../../widgets/code/CodeView';
import { Failed, Waiting } from '../../../../widgets/status/Waiting';
import type { Loaded } from '../../../../widgets/code/useBodyText';
import { TextChange } from './TextChange';
import classes from './definitions.module.css';

interface DefinitionDetailProps {
  serverId: ServerId;
  name: string;
  onAccept: (listing: string) => void;
}

/** How the definition of one tool differs from the remembered one. Mounted again for another tool or listing. */
export function DefinitionDetail({ serverId, name, onAccept }: DefinitionDetailProps) {
  const host = useHost();
  const [loaded, setLoaded] = useState<Loaded<ToolDefinitionDiffResponse>>({ state: 'loading' });
  useEffect(() => {
    let wanted = true;
    const done = (result: Loaded<ToolDefinitionDiffResponse>): void => {
      if (wanted) setLoaded(result);
    };
    host.call('tool_definition_diff', { serverId, name }).then(
      (value) => done({ state: 'ready', value }),
      (thrown: unknown) => done({ state: 'failed', error: commandError(thrown) }),
    );
    return () => {
      wanted = false;
    };
  }, [host, serverId, name]);
  if (loaded.state === 'loading') return <Waiting text="Comparing…" />;
  if (loaded.state === 'failed') return <Failed error={loaded.error} />;
  const { tool, before, after, changes, more, listing } = loaded.value;
  const label = { added: 'Accept', changed: 'Accept change', removed: 'Forget definition' }[tool.change];
  return (
    <section className={classes.detail} aria-label="Changes to the tool">
      <header className={classes.detailHead}>
        <h3>{name}</h3>
        <Button size="compact-sm" onClick={() => onAccept(listing)} data-accept>
          {label}
        </Button>
      </header>
      <p className={classes.note}>{explanation(loaded.value)}</p>
      {changes.length > 0 && (
        <ol className={classes.changes}>
          {changes.map((change) => (
            <li key={`${change.pointer} ${change.words}`}>
              <p>{change.words}</p>
              <TextChange before={change.before} after={change.after} />
            </li>
          ))}
        </ol>
      )}
      {more && <p className={classes.note}>Not all changes are listed here.</p>}
      {changes.length === 0 &&
        (after.length > 0 ? after : before).map((text, at) => (
          // Definitions of the same name have no identity but their place.
          // oxlint-disable-next-line react/no-array-index-key
          <CodeText key={at} text={text} language="json" label="Definition" numbered={false} />
        ))}
    </section>
  );
}

function explanation({ tool, before, after }: ToolDefinitionDiffResponse): string {
  if (tool.change === 'added')
    return 'New tool. It can be called; Patchbay reports later changes to its definition.';
  if (tool.change === 'removed') return 'The server no longer lists this tool.';
  const times =
    before.length === after.length || before.length === 0
      ? ''
      : ` The name is listed ${formatCount(after.length, 'time')} instead of ${before.length}.`;
  return tool.refused
    ? `Calls are refused until you accept the change.${times}`
    : `Accepted without asking, because this server is trusted.${times}`;
}
