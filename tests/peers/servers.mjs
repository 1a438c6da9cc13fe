// The third-party servers: how each is started, its transports and eras, and the actions to run.
//
// `faults` are violations of the server's own: any other violation of a MUST that we report is a false accusation.
//
// An action has a title, the arguments of `patchbay`, a part of the expected output, and optionally the expected frames in
// order (`>` was sent) and the exit code; or a title and a function of `acts.mjs`. Deliberately not here: running the actions
// (`drive.mjs`), installing the servers (`xtask/src/install/peers.rs`).
import { join } from 'node:path'
import { env } from 'node:process'
import { fileURLToPath } from 'node:url'

import { becomesTask, cancelsTask, listens, subscribes } from './acts.mjs'
import { stories } from './stories.mjs'

const { PATCHBAY_BIN_DIR: ours, PATCHBAY_PEERS_NODE: node, PATCHBAY_PEERS_PYTHON: python } = env
const examples = env.PATCHBAY_PEERS_EXAMPLES
const here = fileURLToPath(new URL('.', import.meta.url))

/** Default answers to input requests. */
const answers = ['--on-elicitation', 'accept-defaults', '--on-sampling', 'As you like.', '--root', here]
const list = (...what) => what.map(([kind, pattern]) => ['list', [kind, 'list'], pattern])
const complete = (reference, argument, pattern, context) => [
  'complete',
  ['request', 'completion/complete', JSON.stringify({ ref: reference, argument, ...(context && { context }) })],
  pattern,
]

const toolsChanged = 'notifications/tools/list_changed'
const promptsChanged = 'notifications/prompts/list_changed'
const updated = 'notifications/resources/updated'
const dynamic = 'demo://resource/dynamic/text/1'
const graph = 'memory://knowledge-graph'
const create = (name) => ['create_entities', JSON.stringify({ entities: [{ name, entityType: 'person', observations: ['counts'] }] })]

const everything = {
  name: 'everything (npm)',
  // Over HTTP it answers a request before `initialize` with the id null, although the request has an id (JSON-RPC 2.0, section 5).
  faults: [{ rule: 'id-null', says: /the id of a response is null/ }],
  does: [
    ...list(['tools', /get-sum/], ['resources', /features\.md/], ['prompts', /simple-prompt/]),
    ['list', ['resources', 'templates'], /resourceTemplates/],
    ['call', ['tools', 'call', 'get-sum', '{"a":40,"b":2}'], /42/],
    ['call', ['tools', 'call', 'get-structured-content', '{"location":"Chicago"}'], /structuredContent/],
    ['call', ['tools', 'call', 'trigger-long-running-operation', '{"duration":0.2,"steps":2}'], /completed/],
    ['read', ['resources', 'read', 'demo://resource/static/document/features.md'], /contents/],
    ['get', ['prompts', 'get', 'args-prompt', '{"city":"Berlin"}'], /Berlin/],
    complete(
      { type: 'ref/prompt', name: 'completable-prompt' },
      { name: 'name', value: '' },
      /"values":\["[^"]+/,
      { arguments: { department: 'Sales' } },
    ),
    ['subscribe', subscribes({ uri: dynamic, tools: [['toggle-subscriber-updates']], told: [[updated, dynamic]] })],
    ['sample', ['tools', 'call', 'trigger-sampling-request', '{"prompt":"Hi"}', ...answers], /As you like/],
    ['elicit', ['tools', 'call', 'trigger-elicitation-request', ...answers], /"isError":false|accept|provided/],
    ['roots', ['tools', 'call', 'get-roots-list', ...answers], /peers/],
    ['task', becomesTask({ tool: ['simulate-research-query', '{"topic":"tides"}'], result: /Research Report: tides/ })],
  ],
}

const tool = (name, pattern, args = '{}') => ['tools', 'call', name, args, ...answers, pattern]
const shows = (what, words) => [what, words.slice(0, -1), words.at(-1)]

/** The conformance server of the Python SDK: the actions of both eras. */
const fixture = [
  ...list(['tools', /test_simple_text/], ['resources', /static-text/], ['prompts', /test_simple_prompt/]),
  ['list', ['resources', 'templates'], /test:\/\/template/],
  shows('call', tool('test_simple_text', /simple text response/)),
  shows('call', tool('test_multiple_content_types', /image\/png/)),
  shows('call', tool('test_tool_with_progress', /content/)),
  shows('call', tool('test_x_mcp_header', /content/, '{"region":"us west 1 é"}')),
  ['read', ['resources', 'read', 'test://static-text'], /contents/],
  ['read', ['resources', 'read', 'test://template/123/data'], /123/],
  ['get', ['prompts', 'get', 'test_prompt_with_arguments', '{"arg1":"one","arg2":"two"}'], /two/],
  complete({ type: 'ref/prompt', name: 'test_prompt_with_arguments' }, { name: 'arg1', value: 'p' }, /values/),
]

const fixtureLegacy = [
  // It is granted, but nothing this server does changes the resource.
  ['subscribe', subscribes({ uri: 'test://watched-resource' })],
  shows('call', tool('test_reconnection', /content/)),
  shows('sample', tool('test_sampling', /As you like/, '{"prompt":"Hi"}')),
  shows('elicit', tool('test_elicitation_sep1034_defaults', /accept/)),
  shows('elicit', tool('test_elicitation', /accept/, '{"message":"Who?"}')),
]

const fixtureModern = [
  shows('elicit', tool('test_input_required_result_elicitation', /content/)),
  shows('elicit', tool('test_input_required_result_request_state', /content/)),
  shows('elicit', tool('test_input_required_result_multi_round', /content/)),
  shows('elicit', tool('test_input_required_result_multiple_inputs', /content/)),
  shows('sample', tool('test_input_required_result_sampling', /As you like/)),
  shows('roots', tool('test_input_required_result_list_roots', /content/)),
  ['elicit', ['prompts', 'get', 'test_input_required_result_prompt', '{}', ...answers], /messages/],
  [
    'subscribe',
    listens({
      asks: { toolsListChanged: true, promptsListChanged: true, resourceUris: ['test://watched-resource'] },
      tools: [['test_trigger_tool_change'], ['test_trigger_prompt_change']],
      told: [[toolsChanged], [promptsChanged]],
    }),
  ],
]

/** The subscription example of the Python SDK: changes of notes without a subscription are not reported. */
const story = [
  ...list(['tools', /edit_note/]),
  [
    'subscribe',
    listens({
      asks: { toolsListChanged: true, resourceUris: ['note://todo'] },
      tools: [['edit_note', '{"name":"journal","text":"day two"}'], ['edit_note', '{"name":"todo","text":"water"}'], ['enable_search']],
      told: [[updated, 'note://todo'], [toolsChanged]],
    }),
  ],
]

/** It grants tools only, and ends the stream itself, as specified. */
const listensToRmcp = [
  'subscribe',
  listens({
    asks: { toolsListChanged: true, promptsListChanged: true, resourceUris: ['memo://one'] },
    granted: { toolsListChanged: true },
    tools: [['change_tools']],
    told: [[toolsChanged]],
    ends: ['end_listening'],
  }),
]

const slowSum = ['tools', 'call', 'slow_sum', '{"a":40,"b":2}']
const modernTasks = [
  [
    'task',
    slowSum,
    /42/,
    [/^> .*"method":"tools\/call"/, /^< .*"resultType":"task"/, /^> .*"method":"tasks\/get"/, /^< .*"status":"completed".*42/],
  ],
  ['task', becomesTask({ tool: ['slow_sum', '{"a":40,"b":2}'], result: /42/ })],
  ['task', cancelsTask({ tool: ['slow_sum', '{"a":40,"b":2,"seconds":600}'] })],
]

const stdio = (command, ...eras) => eras.map((era) => ({ transport: 'stdio', era, server: ['--stdio', command] }))

/** An HTTP server: started once for all its transports, on a free port. */
const http = (start, path, ...eras) => eras.map((era) => ({ transport: path === '/sse' ? 'sse' : 'http', era, start, path }))

const quoted = (...parts) => `'${join(...parts)}'`
const withPort = (command) => (port) => ({ command: join(node, 'mcp-server-everything'), args: [command], env: { PORT: port } })

/** All servers; `folder` is writable, `repository` is a git repository. */
export const peers = ({ folder, repository }) => [
  { ...everything, ways: stdio(quoted(node, 'mcp-server-everything'), 'auto', 'legacy') },
  { ...everything, ways: http(withPort('streamableHttp'), '/mcp', 'auto', 'legacy') },
  { ...everything, ways: http(withPort('sse'), '/sse', 'auto') },
  {
    name: 'filesystem (npm)',
    ways: stdio(`${quoted(node, 'mcp-server-filesystem')} '${folder}'`, 'auto'),
    does: [
      ...list(['tools', /read_text_file/]),
      ['call', ['tools', 'call', 'write_file', JSON.stringify({ path: join(folder, 'a.txt'), content: 'é' })], /wrote/],
      ['call', ['tools', 'call', 'list_directory', JSON.stringify({ path: folder })], /a\.txt/],
      ['roots', ['tools', 'call', 'list_allowed_directories', '{}', '--root', here], /peers/],
    ],
  },
  {
    name: 'memory (npm)',
    ways: stdio(`MEMORY_FILE_PATH='${join(folder, 'memory.jsonl')}' ${quoted(node, 'mcp-server-memory')}`, 'auto'),
    does: [
      ...list(['tools', /create_entities/], ['resources', /knowledge-graph/]),
      ['call', ['tools', 'call', ...create('Ada')], /Ada/],
      ['read', ['resources', 'read', graph], /contents/],
      ['subscribe', subscribes({ uri: graph, tools: [create('Grace')], told: [[updated, graph]] })],
    ],
  },
  {
    name: 'sequential-thinking (npm)',
    ways: stdio(quoted(node, 'mcp-server-sequential-thinking'), 'auto'),
    does: [
      ...list(['tools', /sequentialthinking/]),
      ['call', ['tools', 'call', 'sequentialthinking', '{"thought":"One","nextThoughtNeeded":false,"thoughtNumber":1,"totalThoughts":1}'], /thoughtNumber/],
    ],
  },
  {
    name: 'budget-allocator (npm)',
    ways: stdio(`${quoted(node, 'mcp-budget-allocator-server')} --stdio`, 'auto'),
    does: [
      ...list(['tools', /get-budget-data/], ['resources', /ui:\/\//]),
      ['call', ['tools', 'call', 'get-budget-data'], /content/],
      ['read', ['resources', 'read', 'ui://budget-allocator/mcp-app.html'], /<html/],
    ],
  },
  {
    name: 'system-monitor (npm)',
    ways: stdio(`${quoted(node, 'mcp-system-monitor-server')} --stdio`, 'auto'),
    does: [
      ...list(['tools', /get-system-info/], ['resources', /ui:\/\//]),
      ['call', ['tools', 'call', 'get-system-info'], /content/],
      ['read', ['resources', 'read', 'ui://system-monitor/mcp-app.html'], /<html/],
    ],
  },
  {
    name: 'time (PyPI)',
    ways: stdio(quoted(python, 'mcp-server-time'), 'auto', 'legacy', 'modern'),
    does: [
      ...list(['tools', /get_current_time/]),
      ['call', ['tools', 'call', 'get_current_time', '{"timezone":"Europe/Berlin"}'], /Europe\/Berlin/],
    ],
  },
  {
    name: 'git (PyPI)',
    ways: stdio(`${quoted(python, 'mcp-server-git')} --repository '${repository}'`, 'auto', 'legacy', 'modern'),
    does: [
      ...list(['tools', /git_status/]),
      ['call', ['tools', 'call', 'git_log', JSON.stringify({ repo_path: repository, max_count: 1 })], /[Cc]ommit/],
    ],
  },
  ...[
    // Tasks are an extension of the modern era: in the legacy one the call itself takes its time.
    ['legacy', [['call', slowSum, /42/]]],
    ['modern', modernTasks],
    ['auto', modernTasks],
  ].map(([era, does]) => ({
    name: 'fastmcp (PyPI)',
    ways: stdio(`${quoted(python, 'python')} ${quoted(here, 'tasks_server.py')}`, era),
    does: [...list(['tools', /slow_sum/]), ['call', ['tools', 'call', 'quick_sum', '{"a":40,"b":2}'], /42/], ...does],
  })),
  {
    name: 'fastmcp skills (PyPI)',
    ways: stdio(`${quoted(python, 'python')} ${quoted(here, 'skills_server.py')} --extension`, 'auto', 'modern'),
    does: [
      ['list', ['request', 'skills/list'], /"frontmatter":\{"name":"knots"/],
      ['read', ['resources', 'read', 'skill://knots/references/BOWLINE.md'], /does not slip/],
    ],
  },
  ...[
    ['legacy', [...fixture, ...fixtureLegacy]],
    ['modern', [...fixture, ...fixtureModern]],
    ['auto', [...fixture.slice(0, 6), ...fixtureModern.slice(0, 1)]],
  ].map(([era, does]) => ({
    name: 'everything-server (PyPI sdist)',
    ways: http(
      (port) => ({
        command: join(python, 'python'),
        args: ['-m', 'mcp_everything_server', '--port', port],
        env: { PYTHONPATH: join(examples, 'servers', 'everything-server') },
      }),
      '/mcp',
      era,
    ),
    does,
  })),
  {
    name: 'subscriptions (PyPI sdist)',
    ways: [
      ...stdio(`PYTHONPATH=${quoted(examples)} ${quoted(python, 'python')} -m stories.subscriptions.server`, 'auto', 'modern'),
      ...http(
        (port) => ({
          command: join(python, 'python'),
          args: ['-m', 'stories.subscriptions.server', '--http', '--port', port],
          env: { PYTHONPATH: examples },
        }),
        '/mcp',
        'auto',
        'modern',
      ),
    ],
    does: story,
  },
  ...stories,
  ...[
    ['auto', [listensToRmcp]],
    ['legacy', []],
    ['modern', [listensToRmcp]],
  ].map(([era, does]) => ({
    name: 'rmcp (crates.io)',
    ways: [
      ...stdio(quoted(ours, 'patchbay-rmcp-server'), era),
      ...http((port) => ({ command: join(ours, 'patchbay-rmcp-server'), args: ['--http', port], env: {} }), '/mcp', era),
    ],
    does: [...list(['tools', /echo/]), ['call', ['tools', 'call', 'echo', '{"text":"héllo"}'], /héllo/], ...does],
  })),
]
