// Runs the frozen sets of the official conformance suite against `patchbay-conformance` and holds what it says against
// `expected.json`: a scenario that ran fewer checks than it once did has not passed, whatever the suite thinks.
//
//   node suite.mjs SUITE-FOLDER CLIENT OUTPUT-FOLDER [SCENARIO …]
//
// SUITE-FOLDER is where `package.json` beside this file was installed. The last line is `N passed, N failed`.
// Deliberately not here: what a scenario asks of the client (the suite knows), what the client does (src/).
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { argv, env, exit, stdout } from 'node:process'

const [suiteFolder, client, outputFolder, ...only] = argv.slice(2)
const node = join(suiteFolder, 'node_modules', 'node', 'bin', 'node')
const suite = join(suiteFolder, 'node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js')
const expected = JSON.parse(readFileSync(new URL('expected.json', import.meta.url), 'utf8'))
/** A busy machine starts many clients at once. */
const patience = '120000'

/** Runs the suite to its end; its exit code counts scenarios that we do not, so only what it wrote is looked at. */
function run(args, log) {
  return new Promise((resolve, reject) => {
    const child = spawn(node, [suite, 'client', '--command', `'${client}'`, '--timeout', patience, ...args], { env })
    let said = ''
    child.stdout.on('data', (data) => (said += data))
    child.stderr.on('data', (data) => (said += data))
    child.on('error', reject)
    child.on('close', () => {
      writeFileSync(join(outputFolder, log), said)
      resolve(said)
    })
  })
}

/** Scenario → its checks, from the folders `NAME-TIME` below `folder`. */
function checksIn(folder) {
  const found = new Map()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.name !== 'checks.json') continue
    const name = relative(folder, entry.parentPath).replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '')
    found.set(name, JSON.parse(readFileSync(join(entry.parentPath, entry.name), 'utf8')))
  }
  return found
}

/** What the suite itself says of each: false where the client failed or timed out though its checks may stand. */
function verdictsIn(said) {
  const lines = said.matchAll(/^([✓✗]) (\S+): \d+ passed, \d+ failed/gm)
  return new Map([...lines].map(([, sign, name]) => [name, sign === '✓']))
}

/** Why a scenario has not passed; nothing if it has. */
function complaints(checks, least, verdict) {
  const bad = checks.filter((check) => check.status === 'FAILURE' || check.status === 'WARNING')
  const said = bad.map((check) => `${check.status} ${check.id}: ${check.errorMessage ?? check.description}`)
  const passed = checks.filter((check) => check.status === 'SUCCESS').length
  if (passed < least) said.push(`${passed} checks passed, expected.json asks for ${least}`)
  if (said.length === 0 && verdict === false) said.push('the client ended with an error or too late; its stderr.txt tells')
  return said
}

const line = (text) => stdout.write(`${text}\n`)
const tally = { passed: 0, failed: 0 }
function tell(revision, name, checks, why) {
  const count = `${checks.filter((check) => check.status === 'SUCCESS').length} checks`
  tally[why.length === 0 ? 'passed' : 'failed'] += 1
  line(`${revision}  ${name.padEnd(40)} ${count.padStart(10)}  ${why.length === 0 ? 'ok' : 'FAILED'}`)
  for (const reason of why) line(`            ${reason}`)
}

async function frozenSet(revision) {
  const folder = join(outputFolder, revision)
  const said = await run(['--requirements', revision, '-o', folder], `${revision}.log`)
  const verdicts = verdictsIn(said)
  return { checks: checksIn(folder), verdict: (name) => verdicts.get(name) ?? false }
}

/** One after the other, each in a run of its own. */
async function named(revision, names) {
  const folder = join(outputFolder, revision)
  const verdicts = new Map()
  for (const name of names) {
    const log = `${revision}-${name.replaceAll('/', '-')}.log`
    // `--force`: scenarios of extensions belong to no revision
    const said = await run(['--scenario', name, '--spec-version', revision, '--force', '-o', folder], log)
    verdicts.set(name, said.includes('OVERALL: PASSED'))
  }
  return { checks: checksIn(folder), verdict: (name) => verdicts.get(name) ?? false }
}

/** `frozen: false`: the suite has no set of this revision, only scenarios. */
async function judge(revision, { passes, notYet = {}, frozen = true }) {
  const wanted = Object.keys(passes).filter((name) => only.length === 0 || only.includes(name))
  if (wanted.length === 0) return
  const asSet = frozen && only.length === 0
  const { checks, verdict } = asSet ? await frozenSet(revision) : await named(revision, wanted)
  for (const name of wanted) {
    const ran = checks.get(name)
    const why = ran ? complaints(ran, passes[name], verdict(name)) : ['it was not run']
    tell(revision, name, ran ?? [], why)
  }
  if (!asSet) return
  const later = new Map(Object.entries(notYet).flatMap(([when, names]) => names.map((name) => [name, when])))
  for (const [name, ran] of checks) {
    if (name in passes) continue
    if (!later.has(name)) {
      tell(revision, name, ran, ['expected.json does not know it'])
    } else if (complaints(ran, 1, verdict(name)).length === 0) {
      tell(revision, name, ran, [`it passes: give it its number of checks in expected.json`])
    }
  }
  for (const [when, names] of Object.entries(notYet)) {
    line(`${revision}  not part of this run (${when}), ${names.length} scenarios: ${names.join(', ')}`)
  }
}

rmSync(outputFolder, { recursive: true, force: true })
mkdirSync(outputFolder, { recursive: true })
for (const [revision, table] of Object.entries(expected)) {
  await judge(revision, table)
}
line(`${tally.passed} passed, ${tally.failed} failed`)
exit(tally.failed === 0 && tally.passed > 0 ? 0 : 1)
