import { Checkbox, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ChatServer, ChatTool, ServerId } from '../../../contract/generated';
import { fullName } from '../../../model/connection/serverName';
import { tokensOf } from '../../../model/chat/words';
import { indentJson } from '../../../model/text/json';
import { formatSize } from '../../../model/text/format';
import { useServers } from '../../../model/workspace/context';
import { useTyped } from '../../../widgets/controls/useTyped';
import { CodeText } from '../../../widgets/code/CodeView';
import { CommandAlert } from '../../../widgets/failure/CommandAlert';
import { useChatTools } from '../useChatTools';
import type { SettingsProps } from './settingsProps';
import { GivenTools } from './GivenTools';
import classes from './settings.module.css';

/** How many tools of a server are drawn at once. */
const MOST = 100;

/** The servers, and which of their tools the model gets under which names. */
export function ToolChoice({ conversation, settings }: SettingsProps) {
  const { data, error } = useChatTools(conversation);
  const items = useServers((state) => state.items) ?? [];
  const [search, setSearch] = useState('');
  const toggle = (ids: readonly ServerId[], id: ServerId): ServerId[] =>
    ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id];
  return (
    <>
      {error !== null && <CommandAlert error={error} />}
      <GivenTools conversation={conversation} settings={settings} data={data} />
      <TextInput
        size="xs"
        aria-label="Search tools"
        placeholder="Search tools"
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <ul className={classes.servers}>
        {items.map((item) => {
          const { id } = item;
          const server = data?.servers.find((each) => each.serverId === id);
          const excluded = new Set(
            settings.excluded.flatMap(({ serverId, tool }) => (serverId === id ? [tool] : [])),
          );
          return (
            <li key={id}>
              <Checkbox
                size="xs"
                label={fullName(item)}
                checked={settings.servers.includes(id)}
                onChange={() => void conversation.set({ servers: toggle(settings.servers, id) })}
              />
              {server !== undefined && (
                <ServerTools
                  server={server}
                  tools={data?.tools.filter((tool) => tool.serverId === id) ?? []}
                  excluded={excluded}
                  search={search}
                  isSearched={(data?.search ?? null) !== null}
                  hasInstructions={settings.instructionsOf.includes(id)}
                  onInstructions={() =>
                    void conversation.set({ instructionsOf: toggle(settings.instructionsOf, id) })
                  }
                  onTool={({ serverId, tool }) =>
                    void conversation.set({
                      excluded: excluded.has(tool)
                        ? settings.excluded.filter((each) => each.serverId !== serverId || each.tool !== tool)
                        : [...settings.excluded, { serverId, tool }],
                    })
                  }
                  aliasOf={({ serverId, tool, alias }) =>
                    settings.aliases.find((each) => each.serverId === serverId && each.tool === tool)
                      ?.alias ?? alias
                  }
                  onAlias={async ({ serverId, tool }, alias) =>
                    conversation.set({
                      aliases: settings.aliases.map((each) =>
                        each.serverId === serverId && each.tool === tool ? { ...each, alias } : each,
                      ),
                    })
                  }
                />
              )}
            </li>
          );
        })}
      </ul>
    </>
  );
}

interface ServerToolsProps {
  server: ChatServer;
  tools: readonly ChatTool[];
  /** The names of those that the user has taken out: the settings are newer than the tools. */
  excluded: ReadonlySet<string>;
  search: string;
  /** Whether the search tool is given in place of the tools. */
  isSearched: boolean;
  hasInstructions: boolean;
  onInstructions: () => void;
  onTool: (tool: ChatTool) => void;
  /** The name that is set for a tool, which may not be given to the model yet. */
  aliasOf: (tool: ChatTool) => string;
  /** False if the name was refused. */
  onAlias: (tool: ChatTool, alias: string) => Promise<boolean>;
}

function ServerTools(props: ServerToolsProps) {
  const { server, tools, excluded, search, isSearched, hasInstructions, onInstructions, onTool } = props;
  const words = search.toLowerCase();
  const matching = tools.filter(({ tool, alias }) => `${tool} ${alias}`.toLowerCase().includes(words));
  return (
    <div className={classes.ofServer}>
      {server.problem !== null && <p className={classes.warn}>{server.problem}</p>}
      {server.instructionsBytes !== null && (
        <Checkbox
          size="xs"
          label={`Add its instructions to the system prompt (${formatSize(server.instructionsBytes)})`}
          checked={hasInstructions}
          onChange={onInstructions}
        />
      )}
      {matching.slice(0, MOST).map((tool) => (
        <Tool
          key={tool.tool}
          tool={tool}
          isIncluded={!excluded.has(tool.tool)}
          isFound={isSearched && tool.offered}
          onTool={onTool}
          aliasOf={props.aliasOf}
          onAlias={props.onAlias}
        />
      ))}
      {matching.length > MOST && (
        <p className={classes.facts}>{matching.length - MOST} more. Search to find them.</p>
      )}
    </div>
  );
}

interface ToolProps extends Pick<ServerToolsProps, 'onTool' | 'aliasOf' | 'onAlias'> {
  tool: ChatTool;
  isIncluded: boolean;
  /** Whether the model found it with the search tool, so that it gets it now. */
  isFound: boolean;
}

function Tool({ tool, isIncluded, isFound, onTool, aliasOf, onAlias }: ToolProps) {
  const [isOpen, setOpen] = useState(false);
  const { value, change, save } = useTyped(aliasOf(tool), async (alias) => onAlias(tool, alias));
  return (
    <details className={classes.tool} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <Checkbox
          size="xs"
          aria-label={`Give ${tool.alias} to the model`}
          checked={isIncluded}
          onChange={() => onTool(tool)}
        />
        <code className={classes.alias}>{tool.alias}</code>
        {tool.renamed !== null && <span className={classes.badge}>renamed</span>}
        {tool.blocked !== null && <span className={classes.badge}>blocked</span>}
        {isFound && <span className={classes.mark}>found</span>}
        {tool.hints.destructive === true && <span className={classes.badge}>destructive</span>}
        <span className={classes.size}>{formatSize(tool.bytes)}</span>
      </summary>
      {isOpen && (
        <div className={classes.toolDetail}>
          {tool.blocked !== null && <p className={classes.warn}>{tool.blocked}</p>}
          {tool.renamed !== null && (
            <p className={classes.facts}>
              Name on the server: {tool.tool}. {tool.renamed}
            </p>
          )}
          <TextInput
            size="xs"
            label="Name for the model"
            value={value}
            maxLength={64}
            onChange={(event) => change(event.currentTarget.value)}
            onBlur={() => void save()}
          />
          <p className={classes.facts}>Sent to the model · {tokensOf(tool.bytes)}</p>
          <CodeText text={indentJson(tool.givenJson)} language="json" label={`Definition of ${tool.alias}`} />
        </div>
      )}
    </details>
  );
}
