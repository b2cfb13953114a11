import { once } from 'node:events'
import { ApiError, Bellwether, Unreachable } from '@bellwether/client'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { SetupError } from '../errors.ts'
import { createMcpServer } from './server.ts'
import { singleLine } from './shared/untrusted-text.ts'

const tell = (text: string) => void process.stderr.write(`${singleLine(text)}\n`)

/**
 * Serves an agent over stdin and stdout until it closes them; what it does is done over the API of a service elsewhere. Nothing but
 * the protocol goes to stdout. Throws SetupError when the service refuses the key.
 */
export async function serveOverStdio({ url, key }: { url: string; key: string }): Promise<void> {
  const client = new Bellwether({ url, key })
  await greet(url, key)
  const ended = once(process.stdin, 'close')
  const handle = serveStdio(
    () => {
      const server = createMcpServer(client, (error) => tell(String(error)))
      // A service tells of updates at its /mcp alone.
      server.server.registerCapabilities({ resources: { subscribe: false } })
      return server
    },
    { onerror: (error) => tell(error.message) },
  )
  await ended
  await handle.close()
}

/** A key that is refused is said at once. A service that is away may come: then the tools say so as long as it is not there. */
async function greet(url: string, key: string): Promise<void> {
  try {
    const { member, workspace } = await new Bellwether({ url, key, retries: 0, timeoutMs: 10_000 }).get('/v1/me')
    tell(`Speaking to ${url} as ${member.name} of ${workspace.name}.`)
  } catch (error) {
    if (ApiError.is(error, 'unauthenticated')) throw new SetupError(`${url} refuses the key: ${error.message}`)
    if (!(error instanceof ApiError || error instanceof Unreachable)) throw error
    tell(error.message)
  }
}
