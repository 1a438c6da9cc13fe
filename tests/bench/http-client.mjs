// The TypeScript client at work: `node http-client.mjs URL IN-FLIGHT CALLS` calls `echo` and prints how many seconds it
// took, after a warm-up. `patchbay-bench http-calls` starts it.
import { join } from 'node:path'
import { argv, env, stdout } from 'node:process'
import { pathToFileURL } from 'node:url'

const module = join(env.PATCHBAY_PEERS_NODE, '..', '@modelcontextprotocol', 'client', 'dist', 'index.mjs')
const { Client, StreamableHTTPClientTransport } = await import(pathToFileURL(module))
const [url, inFlight, calls] = [argv[2], Number(argv[3]), Number(argv[4])]

const client = new Client({ name: 'bench', version: '1' })
await client.connect(new StreamableHTTPClientTransport(new URL(url)))

async function echo(count) {
  let next = 0
  const work = async () => {
    while (next < count) await client.callTool({ name: 'echo', arguments: { text: `call ${next++}` } })
  }
  await Promise.all(Array.from({ length: inFlight }, work))
}

await echo(100)
const begun = performance.now()
await echo(calls)
stdout.write(`${(performance.now() - begun) / 1000}\n`)
await client.close()
