// A protected third-party MCP server: npm `oidc-provider` handles login and consent, npm `server-everything` is the MCP
// server, and a small resource server in front of it requires a JWT of the provider.
//
// `node oidc.mjs [SECONDS]`: the lifetime of access tokens. The address is the first line of stdout; it serves until stdin
// ends. Refresh tokens rotate. Every request needs the scope `mcp:read`, the tool `get-tiny-image` also `mcp:write`.
// `/seen` lists the requests with their tokens, numbered from 1. Any login with any password is accepted.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createServer, request as send } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import process, { argv, env, exit, stderr, stdin, stdout } from 'node:process'
import { pathToFileURL } from 'node:url'

const installed = createRequire(join(env.PATCHBAY_PEERS_NODE, '..', '..', 'package.json'))
const load = (name) => import(pathToFileURL(installed.resolve(name)))
const { Provider, errors } = await load('oidc-provider')
const { createLocalJWKSet, exportJWK, generateKeyPair, jwtVerify } = await load('jose')

const life = Number(argv[2] ?? 600)
const DEAR = 'get-tiny-image'

/** Listens on a free port of the loopback. */
async function listening(handler) {
  const server = createServer(handler)
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${server.address().port}`
}

/** The MCP server, on a free port. */
async function everything() {
  const held = createServer()
  await new Promise((resolve) => held.listen(0, '127.0.0.1', resolve))
  const { port } = held.address()
  await new Promise((resolve) => held.close(resolve))
  const program = join(env.PATCHBAY_PEERS_NODE, 'mcp-server-everything')
  const child = spawn(program, ['streamableHttp'], { env: { ...env, PORT: String(port) }, stdio: ['ignore', 'pipe', 'pipe'] })
  process.once('exit', () => child.kill())
  await new Promise((resolve, reject) => {
    let said = ''
    const listen = (text) => (said += text).includes('listening') && resolve()
    child.stdout.on('data', listen)
    child.stderr.on('data', listen)
    child.once('exit', () => reject(new Error(`server-everything has ended: ${said}`)))
  })
  return port
}

async function keys() {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  return { keys: [{ ...(await exportJWK(privateKey)), use: 'sig', alg: 'RS256', kid: 'one' }] }
}

function provider(issuer, resource, jwks) {
  const server = { scope: 'mcp:read mcp:write', audience: resource, accessTokenTTL: life, accessTokenFormat: 'jwt' }
  return new Provider(issuer, {
    jwks,
    cookies: { keys: [randomBytes(16).toString('hex')] },
    pkce: { required: () => true },
    rotateRefreshToken: true,
    issueRefreshToken: (_context, client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: () => false,
    features: {
      registration: { enabled: true },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        useGrantedResource: () => true,
        getResourceServerInfo(_context, indicator) {
          if (indicator !== resource) throw new errors.InvalidTarget()
          return server
        },
      },
    },
  })
}

const read = async (incoming) => {
  const parts = []
  for await (const part of incoming) parts.push(part)
  return Buffer.concat(parts)
}

const parsed = (body) => {
  try {
    return JSON.parse(body.toString())
  } catch {
    return {} // A GET or a DELETE has no message.
  }
}

/** The resource server in front of the server at `behind`. */
function guard(behind) {
  const seen = []
  const tokens = []
  const told = { origin: '', issuer: '', verify: async () => ({}) }

  const number = (token) => {
    if (!tokens.includes(token)) tokens.push(token)
    return tokens.indexOf(token) + 1
  }

  /** Why this request is refused; none if it is not. */
  async function objection(token, message) {
    if (token === undefined) return { status: 401, scope: 'mcp:read' }
    const { scope } = await told.verify(token).catch(() => ({}))
    if (scope === undefined) return { status: 401, scope: 'mcp:read', error: 'invalid_token' }
    const wanted = message.params?.name === DEAR ? 'mcp:read mcp:write' : 'mcp:read'
    const has = scope.split(' ')
    if (wanted.split(' ').every((one) => has.includes(one))) return undefined
    return { status: 403, scope: wanted, error: 'insufficient_scope' }
  }

  function forward(incoming, body, outgoing) {
    const { authorization: _, ...headers } = incoming.headers
    const options = { host: '127.0.0.1', port: behind, path: incoming.url, method: incoming.method, headers }
    const onward = send(options, (answer) => {
      outgoing.writeHead(answer.statusCode, answer.headers)
      answer.pipe(outgoing)
    })
    onward.once('error', () => outgoing.destroy())
    outgoing.once('close', () => onward.destroy())
    onward.end(body)
  }

  async function serve(incoming, outgoing) {
    const json = (value) => outgoing.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    if (incoming.url === '/seen') return json(seen)
    if (incoming.url === '/.well-known/oauth-protected-resource/mcp') {
      return json({ resource: `${told.origin}/mcp`, authorization_servers: [told.issuer], scopes_supported: ['mcp:read', 'mcp:write'] })
    }
    if (incoming.url !== '/mcp') return outgoing.writeHead(404).end()
    const body = await read(incoming)
    const message = parsed(body)
    const token = /^Bearer (.+)$/.exec(incoming.headers.authorization ?? '')?.[1]
    const refused = await objection(token, message)
    const what = [incoming.method, message.method, message.params?.name, token && `[token ${number(token)}]`, refused?.status]
    seen.push(what.filter(Boolean).join(' '))
    if (refused === undefined) return forward(incoming, body, outgoing)
    const { status, scope, error } = refused
    const metadata = `${told.origin}/.well-known/oauth-protected-resource/mcp`
    const challenge = [`resource_metadata="${metadata}"`, `scope="${scope}"`, error && `error="${error}"`]
    outgoing.writeHead(status, { 'www-authenticate': `Bearer ${challenge.filter(Boolean).join(', ')}` }).end()
  }
  return { serve, told }
}

stdin.resume()
stdin.once('close', () => exit(0))
const { serve, told } = guard(await everything())
told.origin = await listening((incoming, outgoing) => {
  serve(incoming, outgoing).catch((error) => {
    stderr.write(`${error.stack}\n`)
    outgoing.destroy()
  })
})
let answer
told.issuer = await listening((incoming, outgoing) => answer(incoming, outgoing))
const jwks = await keys()
const known = createLocalJWKSet({ keys: jwks.keys.map(({ kty, n, e, kid, alg, use }) => ({ kty, n, e, kid, alg, use })) })
const expected = { issuer: told.issuer, audience: `${told.origin}/mcp` }
told.verify = async (token) => (await jwtVerify(token, known, expected)).payload
answer = provider(told.issuer, `${told.origin}/mcp`, jwks).callback()
stdout.write(`${told.origin}/mcp\n`)
