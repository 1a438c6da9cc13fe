import type { ChatToolsResponse } from '../../../contract/generated';
import { tokensOf } from '../../../model/chat/words';
import { indentJson } from '../../../model/text/json';
import { formatCount, formatSize } from '../../../model/text/format';
import { CodeText } from '../../../widgets/code/CodeView';
import { NumberSetting } from '../../../widgets/controls/NumberSetting';
import type { SettingsProps } from './settingsProps';
import classes from './settings.module.css';

/** The smallest and the largest limits that the engine takes. */
const TOOLS = { least: 2, most: 10_000 };
const TOKENS = { least: 1_000, most: 10_000_000 };

/** What the model gets of the tools with each request, and from when on it gets the search tool in their place. */
export function GivenTools({
  conversation,
  settings,
  data,
}: SettingsProps & { data: ChatToolsResponse | undefined }) {
  return (
    <>
      {data !== undefined && <Given data={data} />}
      <div className={classes.limits}>
        <NumberSetting
          size="xs"
          label="Max tools per request"
          saved={settings.maxTools}
          min={TOOLS.least}
          max={TOOLS.most}
          onSave={async (maxTools) => maxTools !== null && conversation.set({ maxTools })}
        />
        <NumberSetting
          size="xs"
          label="Max tool tokens"
          placeholder="Unlimited"
          saved={settings.maxToolTokens}
          min={TOKENS.least}
          max={TOKENS.most}
          onSave={async (maxToolTokens) => conversation.set({ maxToolTokens })}
        />
      </div>
    </>
  );
}

function Given({ data: { tools, search } }: { data: ChatToolsResponse }) {
  const given = tools.filter(({ included, blocked, offered }) => included && blocked === null && offered);
  const bytes = given.reduce((sum, tool) => sum + tool.bytes, search?.bytes ?? 0);
  const size = `${formatSize(bytes)} · ${tokensOf(bytes)} with each request`;
  if (search === null) {
    return (
      <p className={classes.facts}>
        The model gets {formatCount(given.length, 'tool')} · {size}.
      </p>
    );
  }
  return (
    <div className={classes.search}>
      <p className={classes.facts}>
        {search.because} The model gets <code>{search.alias}</code> and{' '}
        {given.length === 0 ? 'what it finds' : formatCount(given.length, 'found tool')} · {size}.
      </p>
      <details className={classes.facts}>
        <summary>Definition sent for {search.alias}</summary>
        <CodeText
          text={indentJson(search.givenJson)}
          language="json"
          label={`Definition of ${search.alias}`}
        />
      </details>
    </div>
  );
}
