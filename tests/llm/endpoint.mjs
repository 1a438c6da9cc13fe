// A small model on the CPU behind OpenAI's Chat Completions: `node endpoint.mjs MODEL.gguf`. The first line of stdout is its base
// URL; it serves until stdin ends. Loopback only, one completion at a time, no tools: just enough for one real sampling request.
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { argv, env, stdin, stdout } from 'node:process'
import { pathToFileURL } from 'node:url'

// The packages are in the cache, not beside this file.
const installed = createRequire(join(env.PATCHBAY_LLM ?? '.', 'package.json'))
const { ChatMLChatWrapper, LlamaChatSession, getLlama } = await import(pathToFileURL(installed.resolve('node-llama-cpp')).href)

const NAME = 'smollm2-135m'
const MOST_BYTES = 1 << 20
const MOST_TOKENS = 64

const llama = await getLlama({ gpu: false, build: 'never', logLevel: 'error' })
const model = await llama.loadModel({ modelPath: argv[2] })
// More threads wait for each other actively, which takes minutes on a busy machine.
const context = await model.createContext({ contextSize: 1024, batchSize: 128, threads: 1 })
const sequence = context.getSequence()

/** Text of a message's content, which may be a list of parts. */
const textOf = (content) => (Array.isArray(content) ? content.map((part) => part.text ?? '').join('\n') : String(content ?? ''))

/** Completes a chat. `onText` receives the answer in pieces. */
async function complete({ messages, max_tokens, max_completion_tokens, temperature = 0 }, signal, onText) {
  await sequence.clearHistory()
  const system = messages.filter(({ role }) => role === 'system' || role === 'developer')
  const rest = messages.filter((message) => !system.includes(message))
  const session = new LlamaChatSession({
    contextSequence: sequence,
    chatWrapper: new ChatMLChatWrapper(),
    systemPrompt: system.map(({ content }) => textOf(content)).join('\n') || undefined,
    autoDisposeSequence: false,
  })
  const history = rest.slice(0, -1).map(({ role, content }) =>
    role === 'assistant' ? { type: 'model', response: [textOf(content)] } : { type: 'user', text: textOf(content) },
  )
  session.setChatHistory([...session.getChatHistory(), ...history])
  const maxTokens = Math.min(max_completion_tokens ?? max_tokens ?? MOST_TOKENS, MOST_TOKENS)
  const before = sequence.tokenMeter.getState()
  const { stopReason } = await session.promptWithMeta(textOf(rest.at(-1)?.content), { maxTokens, temperature, signal, onTextChunk: onText, repeatPenalty: { penalty: 1.3 } })
  const used = sequence.tokenMeter.diff(before)
  session.dispose()
  return {
    finish_reason: stopReason === 'maxTokens' ? 'length' : 'stop',
    usage: { prompt_tokens: used.usedInputTokens, completion_tokens: used.usedOutputTokens },
  }
}

async function body(request) {
  const chunks = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > MOST_BYTES) throw new Error('the request is larger than 1 MiB')
    chunks.push(chunk)
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8'))
}

/** One event of a stream. */
const chunk = (choice, more = {}) => `data: ${JSON.stringify({ object: 'chat.completion.chunk', model: NAME, choices: choice ? [{ index: 0, ...choice }] : [], ...more })}\n\n`

async function chat(request, response) {
  const asked = await body(request)
  const stopped = new AbortController()
  response.once('close', () => stopped.abort())
  if (asked.stream !== true) {
    let text = ''
    const { finish_reason, usage } = await complete(asked, stopped.signal, (piece) => (text += piece))
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ object: 'chat.completion', model: NAME, choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason }], usage }))
    return
  }
  response.setHeader('content-type', 'text/event-stream')
  const { finish_reason, usage } = await complete(asked, stopped.signal, (content) => response.write(chunk({ delta: { content }, finish_reason: null })))
  response.write(chunk({ delta: {}, finish_reason }))
  response.write(chunk(null, { usage }))
  response.end('data: [DONE]\n\n')
}

let last = Promise.resolve()
const server = createServer((request, response) => {
  const path = new URL(request.url, 'http://localhost').pathname
  const failed = (error) => {
    if (!response.headersSent) response.writeHead(500, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: { message: String(error.message) } }))
  }
  if (request.method === 'GET' && path === '/v1/models') {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ object: 'list', data: [{ id: NAME, object: 'model', context_length: 1024 }] }))
  } else if (request.method === 'POST' && path === '/v1/chat/completions') {
    // One sequence: one after another.
    last = last.then(() => chat(request, response)).catch(failed)
  } else {
    response.writeHead(404).end()
  }
})
server.listen(0, '127.0.0.1', () => stdout.write(`http://127.0.0.1:${server.address().port}/v1\n`))
stdin.resume().once('end', () => {
  server.close()
  server.closeAllConnections()
  model.dispose().then(() => process.exit(0))
})
