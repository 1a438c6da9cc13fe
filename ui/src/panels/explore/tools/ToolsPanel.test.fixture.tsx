import { MantineProvider } from '@mantine/core';
import { act, render, screen } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import type {
  BodyId,
  ConnectionId,
  ExchangeOutcome,
  Seq,
  ServerId,
  ServerItem,
  TextBody,
  ToolItem,
  ToolResultView,
} from '../../../contract/generated';
import { ScriptedHost } from '../../../host/scripted';
import { ModelProvider, createModel } from '../../../model/workspace/context';
import { aTool, toolPage } from '../../../model/tools/tools.fixture';
import { ToolsPanel } from './ToolsPanel';

export const SERVER = 's' as ServerId;

export const server: ServerItem = {
  id: SERVER,
  draft: {
    name: 'everything',
    transport: { type: 'stdio', command: 'x', args: [], env: [], cwd: null },
    era: 'auto',
    timeouts: { requestMs: 60_000, maxTotalMs: 600_000, resetOnProgress: true },
  },
  isDemo: false,
  rememberedEra: null,
  connection: {
    connectionId: 'c' as ConnectionId,
    state: 'ready',
    era: 'legacy',
    revision: '2025-11-25',
    server: null,
    extensions: [],
    failure: null,
    problemCount: 0,
    pendingCount: 0,
    sinceAtMs: 0,
  },
};

interface Tool {
  schema: string | null;
  item?: Partial<ToolItem>;
}

function at<T>(list: readonly T[], index: number): T {
  const item = list[index];
  if (item === undefined) throw new Error(`nothing at ${index}`);
  return item;
}

/** Shows the tools of a server and selects the first. Their definitions come when they are `known`. */
export async function show(tools: Record<string, Tool>, known: Promise<void> = Promise.resolve()) {
  const entries = Object.entries(tools);
  const items = entries.map(([name, { item }], index) => aTool(index, name, item));
  const host = new ScriptedHost({
    ui_state_get: () => ({ stateJson: null }),
    server_list: () => ({ items: [server] }),
    tool_list: () => toolPage(items),
    tool_get: async ({ index }) => {
      await known;
      return {
        tool: at(items, index),
        description: 'What it does',
        definitionJson: '{}',
        inputSchemaJson: at(entries, index)[1].schema,
        outputSchemaJson: null,
        seq: null,
      };
    },
    exchange_cancel: () => ({}),
  });
  const model = createModel(host);
  await Promise.all([model.ui.load(), model.servers.refresh()]);
  model.ui.setState({ toolContextOpen: false, selectedTools: { [SERVER]: `0:${at(entries, 0)[0]}` } });
  render(
    <MantineProvider>
      <ModelProvider model={model}>
        <ToolsPanel serverId={SERVER} />
      </ModelProvider>
    </MantineProvider>,
  );
  await screen.findByRole('button', { name: 'Call tool' });
  await act(() => Promise.resolve());
  const sent = () => host.stream('tool_call').params.argumentsJson;
  const emitEnd = (outcome: ExchangeOutcome) =>
    act(() =>
      host.stream('tool_call').emit({
        type: 'finished',
        outcome,
        durationMs: 4.2,
        humanWaitMs: 0,
        requestSeq: '1' as Seq,
        responseSeq: '2' as Seq,
      }),
    );
  return { host, model, sent, emitEnd, user: userEvent.setup() };
}

export function text(value: string, pretty: string | null = null): TextBody {
  return { inline: value, body: 'b' as BodyId, size: value.length, pretty: pretty as BodyId | null };
}

export function result(change: Partial<ToolResultView>): ExchangeOutcome {
  const tool = {
    isError: false,
    content: [],
    structured: null,
    structuredMissing: false,
    violations: [],
    ...change,
  };
  return { type: 'result', raw: text('{}'), view: { type: 'tool', tool }, freshness: null };
}

export const SUM =
  '{"type":"object","required":["a"],"properties":{"a":{"type":"integer"},"b":{"type":"number","default":1.10},"big":{"type":"integer","default":9007199254740993},"note":{"type":"string"}}}';

/** Not by a click: the resizable panels take those for theirs, because nothing has a size here. */
export async function typeInto(user: UserEvent, label: string | RegExp, keys: string) {
  const field = await screen.findByLabelText(label);
  act(() => field.focus());
  await user.keyboard(keys);
}

export const callTool = () => screen.getByRole('button', { name: 'Call tool' });
export const resultPane = () => screen.findByRole('region', { name: 'Result' });
