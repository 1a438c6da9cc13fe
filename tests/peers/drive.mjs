// Tests the servers of `servers.mjs` over every transport and era they support, with the command line and, for actions
// with several requests over one connection, with `patchbay serve`, and prints a table. `node drive.mjs [NAME …]`: only
// servers whose names contain NAME. The last line is `N passed, N failed`.
//
// The environment has the paths of all programs (`cargo xtask peers` sets it). No request leaves this machine.
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { argv, env, exit, stdout } from 'node:process'

import { Front, patience, within } from './front.mjs'
import { peers } from './servers.mjs'

const scratch = mkdtempSync(join(tmpdir(), 'patchbay-peers-'))
const columns = ['list', 'call', 'read', 'get', 'complete', 'subscribe', 'sample', 'elicit', 'roots', 'task']
const WIDTH = 10
/** The number of servers that are started concurrently. */
const atOnce = 2

const line = (text) => stdout.write(`${text}\n`)

/** Two folders for servers that need one: a writable one, and a git repository. */
function folders() {
  const folder = join(scratch, 'folder')
  const repository = join(scratch, 'repository')
  for (const each of [folder, repository]) mkdirSync(each)
  const git = (...args) => execFileSync('git', ['-C', repository, '-c', 'user.name=A', '-c', 'user.email=a@b.c', ...args])
  git('init', '--quiet')
  git('commit', '--quiet', '--allow-empty', '--message', 'First')
  return { folder, repository }
}

const freePort = () =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })

const answers = (port) =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

/** Starts a server on a free port and waits until it listens. */
async function started(start) {
  const port = await freePort()
  const { command, args, env: extra } = start(String(port))
  const child = spawn(command, args, { env: { ...env, ...extra }, stdio: ['ignore', 'pipe', 'pipe'], cwd: scratch })
  let said = ''
  let ended = false
  child.stdout.on('data', (data) => (said += data))
  child.stderr.on('data', (data) => (said += data))
  child.once('error', (error) => (said += error)).once('close', () => (ended = true))
  const deadline = Date.now() + patience
  while (!(await answers(port))) {
    if (ended || Date.now() > deadline) {
      child.kill()
      throw new Error(`${command} does not listen: ${said.slice(-500)}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return { port, stop: () => child.kill() }
}

/** Runs `patchbay` to its end, with separate folders. */
function patchbay(words) {
  const home = mkdtempSync(join(scratch, 'home-'))
  const own = Object.fromEntries(['CONFIG', 'DATA', 'STATE', 'CACHE'].map((name) => [`XDG_${name}_HOME`, home]))
  return new Promise((resolve) => {
    const child = spawn(env.PATCHBAY_BIN, words, { env: { ...env, ...own }, stdio: ['ignore', 'pipe', 'pipe'], timeout: patience })
    const said = { out: '', err: '' }
    child.stdout.on('data', (data) => (said.out += data))
    child.stderr.on('data', (data) => (said.err += data))
    child.once('error', (error) => resolve({ ...said, code: error.message }))
    child.once('close', (code, signal) => resolve({ ...said, code: code ?? signal }))
  })
}

/** The frames of a recording, each after an arrow: `>` was sent, `<` received. */
const frames = (file) =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((each) => JSON.parse(each))
    .map(({ dir, raw }) => `${dir === 'clientToServer' ? '>' : '<'} ${raw}`)

/** The first of the expected frames that does not occur in this order. */
function missing(wanted, file) {
  const all = frames(file)
  let from = 0
  return wanted.find((pattern) => {
    const at = all.findIndex((frame, index) => index >= from && pattern.test(frame))
    from = at + 1
    return at < 0
  })
}

/**
 * The first violation of a MUST in a recording that is no fault of its server (`faults` has those that are): a false accusation
 * is our fault.
 */
async function accusation(record, faults = []) {
  const { code, out, err } = await patchbay(['--json', 'check', record])
  if (code !== 0 && code !== 6) return `it cannot be checked: ${err}`
  const found = out.trim().split('\n').filter(Boolean).map((each) => JSON.parse(each))
  const first = found.find(({ severity, rule, message }) => severity === 'error' && !faults.some((fault) => fault.rule === rule && fault.says.test(message)))
  return first && `accused: record ${first.seq}, ${first.rule} at ${first.pointer ?? 'the whole'}: ${first.message}`
}

/** Runs one action with a separate command and returns the problem; nothing on success. */
async function act({ server, era, faults }, words, pattern, crossed = [], expected = 0) {
  const record = join(mkdtempSync(join(scratch, 'record-')), 'recording.jsonl')
  const { code, out, err } = await patchbay([...words, ...server, '--era', era, '--record', record])
  const said = [out, err].map((text) => text.trim().slice(0, 400)).filter(Boolean)
  const complaint = (what) => `patchbay ${words.join(' ')}\n      ${what}: ${said.join(' | ')}`
  if (code !== expected || !pattern.test(out)) return complaint(`exit code ${code}, wanted ${expected} and ${pattern}`)
  const absent = missing(crossed, record)
  if (absent) return complaint(`${absent} did not cross in its place`)
  // The simulator breaks the rules when it is told to.
  if (words.some((word) => word.endsWith('=invalid'))) return undefined
  const accused = await accusation(record, faults)
  return accused && complaint(accused)
}

/** Runs one action over one connection of a separate `patchbay serve` and returns the problem. */
async function converse({ server, era }, does) {
  let front
  try {
    front = await Front.start(mkdtempSync(join(scratch, 'front-')))
    await within('the action', front.connect(server.at(-1), era).then((serverId) => does(front, serverId)))
    await front.stop()
    return undefined
  } catch (error) {
    // Without effect if it was this that failed.
    await front?.stop().catch(() => undefined)
    return `over one connection: ${error.message}`
  }
}

/** One row of the table: all actions of a server over one transport in one era. */
async function drive({ name, does, faults }, way) {
  const row = { name, transport: way.transport, era: way.era, cells: new Map(), complaints: [] }
  let running
  try {
    running = way.start && (await started(way.start))
    const server = way.server ?? ['--url', `http://127.0.0.1:${running.port}${way.path}`]
    const peer = { server, era: way.era, faults }
    for (const [column, how, ...wanted] of does) {
      const complaint = await (typeof how === 'function' ? converse(peer, how) : act(peer, how, ...wanted))
      const cell = row.cells.get(column) ?? { passed: 0, failed: 0 }
      cell[complaint ? 'failed' : 'passed'] += 1
      row.cells.set(column, cell)
      if (complaint) row.complaints.push(complaint)
    }
  } catch (error) {
    row.cells.set('list', { passed: 0, failed: 1 })
    row.complaints.push(String(error.message))
  } finally {
    running?.stop()
  }
  return row
}

function shown(cell) {
  if (!cell) return '·'
  return cell.failed > 0 ? `FAILED ${cell.failed}` : cell.passed > 1 ? `ok ${cell.passed}` : 'ok'
}

function print(row) {
  const cells = columns.map((column) => shown(row.cells.get(column)).padEnd(WIDTH))
  line(`${row.name.padEnd(31)}${row.transport.padEnd(6)}${row.era.padEnd(7)}${cells.join('')}`.trimEnd())
  for (const complaint of row.complaints) line(`    ${complaint}`)
}

const wanted = argv.slice(2)
const rows = peers(folders())
  .filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)))
  .flatMap((peer) => peer.ways.map((way) => () => drive(peer, way)))
if (rows.length === 0) {
  line(`no peer's name contains ${wanted.join(' or ')}`)
  exit(1)
}

line(`${'server'.padEnd(31)}${'over'.padEnd(6)}${'era'.padEnd(7)}${columns.map((column) => column.padEnd(WIDTH)).join('')}`.trimEnd())
const tally = { passed: 0, failed: 0 }
const waiting = [...rows]
async function work() {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const row = await next()
    print(row)
    for (const { passed, failed } of row.cells.values()) {
      tally.passed += passed
      tally.failed += failed
    }
  }
}
await Promise.all(Array.from({ length: atOnce }, work))
rmSync(scratch, { recursive: true, force: true })
line(`${tally.passed} passed, ${tally.failed} failed`)
exit(tally.failed === 0 ? 0 : 1)
