// Examples of the Python SDK in which a server asks its host: what it gets by the rules of the command line, and how it copes
// with the answers of the simulator. Deliberately not here: running the actions (`drive.mjs`).
import { join } from 'node:path'
import { env } from 'node:process'
import { fileURLToPath } from 'node:url'

const { PATCHBAY_PEERS_PYTHON: python, PATCHBAY_PEERS_EXAMPLES: examples } = env
const here = fileURLToPath(new URL('.', import.meta.url))

/** The exit codes of a call that the server answers with an error, and of one whose tool reports an error. */
const [RPC_ERROR, TOOL_ERROR] = [3, 4]

/** An example, over both transports; `breaks` are the rules that our own answers break on purpose. */
const story = (name, does, eras, breaks = []) => ({
  name: `${name} (PyPI sdist)`,
  breaks,
  ways: eras.flatMap((era) => [
    {
      transport: 'stdio',
      era,
      server: ['--stdio', `PYTHONPATH='${examples}' '${join(python, 'python')}' -m stories.${name}.server`],
    },
    {
      transport: 'http',
      era,
      path: '/mcp',
      start: (port) => ({
        command: join(python, 'python'),
        args: ['-m', `stories.${name}.server`, '--http', '--port', port],
        env: { PYTHONPATH: examples },
      }),
    },
  ]),
  does,
})

const call = (tool, args, ...more) => ['tools', 'call', tool, JSON.stringify(args), ...more]
/** The tool succeeds with this in its output; `crossed` are the frames. */
const gives = (column, words, pattern, crossed = []) => [column, words, pattern, crossed]
/** The tool fails with this in its output. */
const fails = (column, words, pattern, code = TOOL_ERROR) => [column, words, pattern, [], code]
const lists = (pattern) => ['list', ['tools', 'list'], pattern]

const summarize = (...more) => call('summarize', { text: 'The tide rises twice a day.' }, ...more)
const sampling = [
  lists(/summarize/),
  gives('sample', summarize('--on-sampling', 'Twice a day.'), /Twice a day\./, [
    /^< .*"method":"sampling\/createMessage"/,
    /^> .*Twice a day\./,
  ]),
  gives('sample', summarize('--simulate', 'sampling=defaults'), /This is a simulated answer\./),
  // It hands errors on as its own.
  fails('sample', summarize('--simulate', 'sampling=decline'), /User rejected sampling request/, RPC_ERROR),
  fails('sample', summarize('--simulate', 'sampling=error:-32000:Out of order'), /"code":-32000/, RPC_ERROR),
]

const showRoots = (...more) => call('show_roots', {}, ...more)
const roots = [
  lists(/show_roots/),
  gives('roots', showRoots('--root', here), /file:.*peers/, [/^< .*"method":"roots\/list"/, /^> .*"roots":\[\{/]),
  gives('roots', showRoots('--simulate', 'roots=decline'), /content/, [/^> .*"roots":\[\]/]),
]

const deploy = (...more) => call('deploy', { env: 'staging' }, ...more)
const mrtr = [
  lists(/deploy/),
  gives('elicit', deploy('--on-elicitation', '{"action":"accept","content":{"confirm":true}}'), /deployed to staging/, [
    /^< .*"resultType":"input_required"/,
    /^> .*"inputResponses"/,
    /^< .*deployed to staging/,
  ]),
  gives('elicit', deploy('--simulate', 'elicitation=decline'), /to staging cancelled/),
  // A valid form that confirms nothing, after a while.
  gives('elicit', deploy('--simulate', 'elicitation=slow:0.2,defaults'), /to staging cancelled/, [/^> .*"confirm":false/]),
]

/** Two questions, the second of which depends on the answer to the first. */
const refund = (order, ...more) => call('refund_order', { order_id: order, reason: 'Broken' }, ...more)
const answers = join(here, 'refund_answers.json')
const refundDesk = [
  lists(/refund_order/),
  gives('call', refund('ORD-7001', '--on-elicitation', 'cancel'), /1500/),
  gives('elicit', refund('ORD-7002', '--simulate', `elicitation=script:${answers}`), /2400/, [
    /^> .*canvas-tote/,
    /^> .*"restock":true/,
  ]),
  fails('elicit', refund('ORD-7002', '--simulate', 'elicitation=decline'), /elicitation was decline/),
  fails('elicit', refund('ORD-7002', '--simulate', 'elicitation=cancel'), /elicitation was cancel/),
]

/** How the servers cope with results that match no schema. Every rule may be broken by them. */
const invalid = {
  sampling: [fails('sample', summarize('--simulate', 'sampling=invalid'), /Error executing tool/)],
  roots: [fails('roots', showRoots('--simulate', 'roots=invalid'), /Error executing tool/)],
}

/** The examples. Requests of a server exist in the legacy era only, input within a result in the modern one only. */
export const stories = [
  story('sampling', sampling, ['legacy']),
  story('roots', roots, ['legacy']),
  story('mrtr', mrtr, ['modern']),
  story('refund_desk', refundDesk, ['legacy', 'modern']),
  story('sampling', invalid.sampling, ['legacy'], [/./]),
  story('roots', invalid.roots, ['legacy'], [/./]),
]
