import { once } from 'node:events'
import { ApiError, Bellwether, Unreachable } from '@bellwether/client'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { SetupError } from '../shared/errors.ts'
import { createMcpServer } from './server.ts'
import { singleLine } from './shared/untrusted-text.ts'

const logToStderr = (text: string) => void process.stderr.write(`${singleLine(text)}\n`)

/**
 * Serves MCP over stdin and stdout until the agent closes them, through the API of a service that may run elsewhere. Only the
 * protocol is written to stdout. Throws SetupError when the service rejects the key.
 */
export async function serveOverStdio({ url, key }: { url: string; key: string }): Promise<void> {
  const client = new Bellwether({ url, key })
  await checkConnection(url, key)
  const ended = once(process.stdin, 'close')
  const handle = serveStdio(
    () => {
      const server = createMcpServer(client, (error) => logToStderr(String(error)))
      // The service delivers updates only at /mcp.
      server.server.registerCapabilities({ resources: { subscribe: false } })
      return server
    },
    { onerror: (error) => logToStderr(error.message) },
  )
  await ended
  await handle.close()
}

/** Checks the key. An unreachable service is no error, because it may start later; until then every tool call reports it. */
async function checkConnection(url: string, key: string): Promise<void> {
  try {
    const { member, workspace } = await new Bellwether({ url, key, retries: 0, timeoutMs: 10_000 }).get('/v1/me')
    logToStderr(`Connected to ${url} as ${member.name} of ${workspace.name}.`)
  } catch (error) {
    if (ApiError.is(error, 'unauthenticated')) throw new SetupError(`${url} rejects the key: ${error.message}`)
    if (!(error instanceof ApiError || error instanceof Unreachable)) throw error
    logToStderr(error.message)
  }
}
