// A small model on the CPU behind OpenAI's Chat Completions: `node endpoint.mjs MODEL.gguf`. The first line of stdout is its base
// URL; it serves until stdin ends. Loopback only, one completion at a time: just enough for one real sampling request, and for one
// real call of a tool. A model of this size does not know when to call one, so it has to where tools are given and no result is
// there yet; which tool, and with which arguments, is its own choice, within a grammar.
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

/** A message as the model reads it: the result of a tool is told by the user. */
const readable = ({ role, content, tool_calls: calls }) => {
  const text = calls === undefined ? textOf(content) : calls.map(({ function: { name, arguments: json } }) => `I call ${name} with ${json}.`).join(' ')
  return { role: role === 'tool' ? 'user' : role, content: role === 'tool' ? `The tool answered: ${text}\nSay what it means in one sentence.` : text }
}

/** A schema as far as a grammar needs it: every member has to be there. */
const bare = ({ type = 'object', properties = {}, enum: values }) => {
  if (values !== undefined) return { enum: values }
  if (type !== 'object') return { type: ['string', 'number', 'integer', 'boolean', 'null'].includes(type) ? type : 'string' }
  return { type, properties: Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, bare(schema)])) }
}

/** The grammar of a call of one of these tools. */
const callOf = (tools) =>
  llama.createGrammarForJsonSchema({
    oneOf: tools.map(({ function: { name, parameters } }) => ({
      type: 'object',
      properties: { name: { const: name }, arguments: bare(parameters) },
    })),
  })

/** What the model is told about the tools. */
const described = (tools) => tools.map(({ function: { name, description } }) => `${name}: ${description}`).join('\n')

/** Completes a chat. `onText` receives the answer in pieces, or the whole call. */
async function complete({ messages: given, tools = [], max_tokens, max_completion_tokens, temperature = 0 }, signal, onText) {
  const calls = tools.length > 0 && given.at(-1)?.role !== 'tool'
  const grammar = calls ? await callOf(tools) : undefined
  const messages = given.map(readable)
  if (calls) messages.unshift({ role: 'system', content: `Answer with a call of one of these tools.\n${described(tools)}` })
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
  const options = calls ? { grammar } : { onTextChunk: onText, repeatPenalty: { penalty: 1.3 } }
  const { stopReason, responseText } = await session.promptWithMeta(textOf(rest.at(-1)?.content), { maxTokens, temperature, signal, ...options })
  const used = sequence.tokenMeter.diff(before)
  session.dispose()
  return {
    call: calls ? JSON.parse(responseText) : undefined,
    finish_reason: calls ? 'tool_calls' : stopReason === 'maxTokens' ? 'length' : 'stop',
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

const toolCall = ({ name, arguments: given }) => ({ id: 'call_1', type: 'function', function: { name, arguments: JSON.stringify(given) } })

async function chat(request, response) {
  const asked = await body(request)
  const stopped = new AbortController()
  response.once('close', () => stopped.abort())
  if (asked.stream !== true) {
    let text = ''
    const { call, finish_reason, usage } = await complete(asked, stopped.signal, (piece) => (text += piece))
    const message = { role: 'assistant', content: text, ...(call && { tool_calls: [toolCall(call)] }) }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ object: 'chat.completion', model: NAME, choices: [{ index: 0, message, finish_reason }], usage }))
    return
  }
  response.setHeader('content-type', 'text/event-stream')
  const { call, finish_reason, usage } = await complete(asked, stopped.signal, (content) => response.write(chunk({ delta: { content }, finish_reason: null })))
  if (call) response.write(chunk({ delta: { tool_calls: [{ index: 0, ...toolCall(call) }] }, finish_reason: null }))
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
