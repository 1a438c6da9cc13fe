// A client of `patchbay serve` like its page: the commands of the contract over a WebSocket. For actions that a single
// command line cannot do, because they take several requests over one connection. Needs Node 22 (WebSocket headers).
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { env } from 'node:process'

const LOST = 'the connection with patchbay serve is lost'
/** The longest that an action may take, in milliseconds. */
export const patience = 60_000
/** The longest that `patchbay serve` may take to end when it is asked to. */
const STOPPING = 20_000

/** Awaits a promise, with the timeout of all actions. `what` names it. */
export function within(what, promise, limit = patience) {
  let timer
  const late = new Promise((_, reject) => (timer = setTimeout(() => reject(new Error(`${what} did not end within ${limit / 1000} s`)), limit)))
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

/** The events of a stream, in order. */
class Stream {
  #come = []
  #waiting = []

  constructor(name, close) {
    this.name = name
    this.close = close
  }

  put(event) {
    const first = this.#waiting.shift()
    if (first) first(event)
    else this.#come.push(event)
  }

  /** The next event; none when it has ended. */
  next() {
    const first = this.#come.shift()
    return first === undefined ? new Promise((resolve) => this.#waiting.push(resolve)) : Promise.resolve(first)
  }

  /** The next event of this type; those before it are passed over. */
  async until(type) {
    const passed = []
    for (let event = await this.next(); event !== null; event = await this.next()) {
      if (event.type === type) return event
      passed.push(event)
    }
    throw new Error(`${this.name} ended without ${type}: ${JSON.stringify(passed)}`)
  }
}

/** A running `patchbay serve`. */
export class Front {
  #child
  #socket
  #last = 0
  #calls = new Map()
  #streams = new Map()

  /** Starts one that keeps its files in `folder`. */
  static async start(folder) {
    const front = new Front()
    const variables = { ...env, BROWSER: 'true', DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' }
    const child = spawn(env.PATCHBAY_BIN, ['serve', '--data-dir', folder], { env: variables, stdio: ['ignore', 'pipe', 'ignore'] })
    front.#child = child
    const address = new Promise((resolve, reject) => {
      createInterface({ input: child.stdout }).once('line', resolve)
      child.once('error', reject).once('exit', (code, signal) => reject(new Error(`patchbay serve ended with ${code ?? signal}`)))
    })
    try {
      await within('starting patchbay serve', address.then((text) => front.#enter(new URL(text))))
      return front
    } catch (error) {
      // Nobody else knows it yet. What it does not do when it is asked to is no second failure.
      await front.stop().catch(() => undefined)
      throw error
    }
  }

  async #enter({ origin, host, hash }) {
    const token = new URLSearchParams(hash.slice(1)).get('token')
    const entered = await fetch(`${origin}/session`, { method: 'POST', headers: { origin }, body: JSON.stringify({ token }) })
    const { page } = await entered.json()
    const cookie = entered.headers.get('set-cookie').split(';')[0]
    const socket = new WebSocket(`ws://${host}/ws`, { headers: { origin, cookie } })
    this.#socket = socket
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve, { once: true })
      socket.addEventListener('error', () => reject(new Error('patchbay serve lets nobody in')), { once: true })
    })
    socket.addEventListener('message', ({ data }) => this.#heard(JSON.parse(data)))
    socket.addEventListener('close', () => this.#lost())
    this.#send({ page })
  }

  #send(frame) {
    // A closed socket takes everything without an error.
    if (this.#socket.readyState !== WebSocket.OPEN) throw new Error(LOST)
    this.#socket.send(JSON.stringify(frame))
  }

  #heard({ id, ok, error, event, end }) {
    const call = this.#calls.get(id)
    const stream = this.#streams.get(id)
    this.#calls.delete(id)
    const why = error && new Error(`${error.message} ${error.detail ?? ''}`.trim())
    if (call) return why ? call.reject(why) : call.resolve(ok)
    if (why) stream?.put({ type: 'failed', message: why.message })
    if (event !== undefined) stream?.put(event)
    if (why || end) stream?.put(null)
  }

  /** Nothing comes any more. */
  #lost() {
    for (const call of this.#calls.values()) call.reject(new Error(LOST))
    this.#calls.clear()
    for (const stream of this.#streams.values()) stream.put(null)
  }

  /** Carries out a command. */
  call(name, params = {}) {
    const id = ++this.#last
    return new Promise((resolve, reject) => {
      this.#calls.set(id, { resolve, reject })
      this.#send({ id, call: name, params })
    })
  }

  /** Opens a stream. */
  open(name, params = {}) {
    const id = ++this.#last
    const stream = new Stream(name, () => this.#send({ id, close: true }))
    this.#streams.set(id, stream)
    this.#send({ id, open: name, params })
    return stream
  }

  /** Adds what is in `text` (a command line, an address) as a server and connects; gives its id when it is ready. */
  async connect(text, era) {
    const { drafts, problems } = await this.call('server_parse', { text })
    if (drafts.length !== 1) throw new Error(`${text}: ${problems.join(' ')}`)
    const { serverId } = await this.call('server_add', { draft: { ...drafts[0], era } })
    const changes = this.open('app_watch')
    await this.call('connection_open', { serverId })
    for (;;) {
      const { connection } = await this.call('connection_get', { serverId })
      const { state, failure } = connection
      if (state === 'failed') throw new Error(`${failure.step}: ${failure.cause} ${failure.next}`)
      if (state === 'ready') break
      await changes.next()
    }
    changes.close()
    return serverId
  }

  /** Ends it, and with it its servers. */
  async stop() {
    const { exitCode, signalCode, pid } = this.#child
    // Without a number it was not started.
    if (pid === undefined || exitCode !== null || signalCode !== null) return
    const gone = new Promise((resolve) => this.#child.once('exit', resolve))
    this.#child.kill()
    try {
      await within('patchbay serve', gone, STOPPING)
    } catch (error) {
      this.#child.kill('SIGKILL')
      await gone
      throw error
    }
  }
}
