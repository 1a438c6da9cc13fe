// One real completion: server-everything asks for it (sampling), Patchbay sends it to a small model on the CPU and the model's
// answer back to the server. Then one real conversation: the model calls a tool of mcp-server-time and answers with its result.
// Prints what crossed. `cargo xtask test --llm` sets the environment; nothing leaves this machine.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { env, execPath, exit, stdout } from 'node:process'

const { PATCHBAY_BIN: patchbay, PATCHBAY_PEERS_NODE: peers, PATCHBAY_PEERS_PYTHON: python, PATCHBAY_LLM_MODEL: model } = env
const MODEL = 'smollm2-135m'
const PROMPT = 'Name three fruits.'
const QUESTION = 'What time is it now? The timezone is Europe/Berlin.'
/** A busy machine takes its time. */
const PATIENCE_MS = 300_000

const line = (text) => stdout.write(`${text}\n`)
const scratch = mkdtempSync(join(tmpdir(), 'patchbay-llm-'))
const endpoint = spawn(execPath, [join(import.meta.dirname, 'endpoint.mjs'), model], { stdio: ['pipe', 'pipe', 'inherit'] })

function stop() {
  endpoint.stdin.end()
  rmSync(scratch, { recursive: true, force: true })
}

function fail(why) {
  line(`FAILED: ${why}`)
  stop()
  exit(1)
}

/** The first line of the endpoint, within the time limit. */
const started = new Promise((resolve, reject) => {
  createInterface({ input: endpoint.stdout }).once('line', resolve)
  endpoint.once('error', reject)
  endpoint.once('exit', (code) => reject(new Error(`the endpoint ended with ${code}`)))
  setTimeout(() => reject(new Error('the model was not loaded in time')), PATIENCE_MS).unref()
})

/** Runs `patchbay` to its end. */
function run(words) {
  return new Promise((resolve) => {
    const child = spawn(patchbay, words, { stdio: ['ignore', 'pipe', 'pipe'], timeout: PATIENCE_MS })
    const said = { out: '', err: '' }
    child.stdout.on('data', (data) => (said.out += data))
    child.stderr.on('data', (data) => (said.err += data))
    child.once('error', (error) => resolve({ ...said, code: error.message }))
    child.once('close', (code, signal) => resolve({ ...said, code: code ?? signal }))
  })
}

const baseUrl = await started.catch((error) => fail(error.message))
const data = join(scratch, 'data')
mkdirSync(data)
const provider = { id: 'p', name: 'Local', api: 'chatCompletions', baseUrl, defaultModel: MODEL }
writeFileSync(join(data, 'providers.json'), JSON.stringify({ providers: [provider] }))
const recording = join(scratch, 'recording.jsonl')
const begun = performance.now()
const words = [
  ...['--data-dir', data, 'tools', 'call', '--stdio', `'${join(peers, 'mcp-server-everything')}'`],
  ...['--timeout', String(PATIENCE_MS / 1000), '--on-sampling', 'model:Local', '--record', recording],
  ...['trigger-sampling-request', JSON.stringify({ prompt: PROMPT, maxTokens: 40 })],
]
line(`$ patchbay ${words.slice(2).join(' ')}`)
const { code, out, err } = await run(words)
if (err !== '') line(err.trim())
line(out.trim())
if (code !== 0) fail(`patchbay ended with ${code}`)

const frames = readFileSync(recording, 'utf8').trimEnd().split('\n').map((each) => JSON.parse(each))
const crossed = frames.map(({ dir, raw }) => ({ dir, raw: String(raw) }))
const from = crossed.findIndex(({ raw }) => raw.includes('"sampling/createMessage"'))
if (from < 0) fail('the server requested no completion')
for (const { dir, raw } of crossed.slice(from)) line(`${dir === 'clientToServer' ? '>' : '<'} ${raw}`)
const answer = crossed.slice(from).find(({ dir, raw }) => dir === 'clientToServer' && raw.includes('"result"'))
const { content, model: answered, stopReason } = JSON.parse(answer?.raw ?? '{}').result ?? {}
if (typeof content?.text !== 'string' || content.text.trim() === '') fail('the model’s answer has no text')
if (answered !== MODEL) fail(`the answer names the model ${answered}`)
if (!JSON.parse(out).content[0].text.includes(JSON.stringify(content.text))) fail('the tool did not return the answer')
line(`${content.text.length} characters, stop reason ${stopReason}, ${((performance.now() - begun) / 1000).toFixed(1)} s`)

const asked = performance.now()
const chat = [
  ...['--data-dir', data, '--json', 'chat', '--provider', 'openai', '--base-url', baseUrl, '--model', MODEL],
  ...['--stdio', `'${join(python, 'mcp-server-time')}'`, '--approve', 'all', '--timeout', String(PATIENCE_MS / 1000)],
  ...['-p', QUESTION],
]
line(`$ patchbay ${chat.slice(2).join(' ')}`)
const turn = await run(chat)
if (turn.err !== '') line(turn.err.trim())
line(turn.out.trim())
if (turn.code !== 0) fail(`patchbay ended with ${turn.code}`)
const events = turn.out.trim().split('\n').map((each) => JSON.parse(each))
const [call] = events.filter(({ type }) => type === 'tool_call')
const [result] = events.filter(({ type }) => type === 'tool_result')
if (call === undefined || result?.id !== call.id) fail('the model called no tool')
// The model chose the arguments: what the server thinks of them is in the result.
if (result.requestSeq === null || !['done', 'toolError'].includes(result.state)) fail(`the call ended as ${result.state}`)
const { outcome, text, rounds } = events.at(-1)
if (outcome !== 'answered' || text.trim() === '') fail(`the conversation ended as ${outcome}`)
line(`${call.tool} ${call.argumentsJson}: ${result.state}, ${rounds} answers, ${((performance.now() - asked) / 1000).toFixed(1)} s`)
line('2 passed, 0 failed')
stop()
