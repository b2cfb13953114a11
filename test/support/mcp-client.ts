import { EventEmitter } from 'node:events'
import type { Bellwether } from '@bellwether/client'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { fromJsonSchema, type McpServer } from '@modelcontextprotocol/server'
import { createMcpServer, type ReportError } from '../../src/mcp/server.ts'

/** The generation of the protocol: `modern` is revision 2026-07-28, `legacy` are those of 2025. */
export type Era = 'modern' | 'legacy'

/** The official client, connected with a key. */
export async function connectMcp(address: string, key: string, era: Era = 'modern'): Promise<Client> {
  const mode = era === 'modern' ? ({ pin: '2026-07-28' } as const) : 'legacy'
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } })
  const requestInit = { headers: { authorization: `Bearer ${key}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', address), { requestInit }))
  return client
}

/** Adds tools with which a test observes what happens between a caller and the API. */
export function serverWithProbes(waits = new EventEmitter<{ begun: []; given_up: [] }>()) {
  return (client: Bellwether, report: ReportError): McpServer => {
    const server = createMcpServer(client, report)
    const page = { per_page: { type: 'integer', minimum: 1, maximum: 100 }, search: { type: 'string' } } as const
    server.registerTool(
      'probe_accounts',
      { description: 'Lists accounts', inputSchema: fromJsonSchema({ type: 'object', properties: page }) },
      async (query) => {
        const { data, pagination } = await client.get('/v1/accounts', { query: query as object })
        const names = data.map(({ name }) => name)
        return { content: [{ type: 'text', text: JSON.stringify({ names, total: pagination.total }) }] }
      },
    )
    const one = { account_id: { type: 'string' }, name: { type: 'string' } } as const
    server.registerTool(
      'probe_rename',
      {
        description: 'Renames an account',
        inputSchema: fromJsonSchema<{ account_id: string; name: string }>({ type: 'object', properties: one }),
      },
      async ({ account_id, name }) => {
        const renamed = await client.patch('/v1/accounts/{id}', { path: { id: account_id }, body: { name } })
        return { content: [{ type: 'text', text: renamed.name }] }
      },
    )
    server.registerTool(
      'probe_scan',
      {
        description: 'Scans and waits',
        inputSchema: fromJsonSchema<{ account_id: string }>({ type: 'object', properties: one }),
      },
      async ({ account_id }, { mcpReq: { _meta, notify, signal } }) => {
        const { run_id } = await client.post('/v1/accounts/{id}/scan', { path: { id: account_id } })
        const progressToken = _meta?.progressToken
        const notifyProgress = (progress: number) =>
          progressToken === undefined
            ? undefined
            : notify({ method: 'notifications/progress', params: { progressToken, progress, message: run_id } })
        let polls = 0
        waits.emit('begun')
        try {
          const run = await client.waitForRun(run_id, {
            signal,
            intervalMs: 250,
            onProgress: () => void notifyProgress(++polls),
          })
          return { content: [{ type: 'text', text: run.status }] }
        } catch (error) {
          waits.emit('given_up')
          throw error
        }
      },
    )
    return server
  }
}
